import { programBundle } from "../../tooling/packaging/src/ProgramBundle.ts"

export default programBundle
