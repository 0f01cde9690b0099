export { programBundle as default } from "../../tooling/packaging/src/ProgramBundle.ts"
