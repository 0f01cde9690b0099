/**
 * Runs the recipes of the test kit outside of the repository, each with its runner, against the packages as they are packed;
 * and compiles its types for a program that has neither Effect nor Node's types.
 */
import { existsSync } from "node:fs"
import { outsideProject } from "./OutsideProject.ts"

const folder = "examples/testkit"

const fromRegistry = {
  vitest: "examples/node_modules/vitest",
  jest: "examples/node_modules/jest",
  "@playwright/test": "examples/node_modules/@playwright/test",
  "@types/node": "node_modules/@types/node"
}

const strict = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true
}

/** The recipes are held to what their users' compilers say; what runners declare is theirs. */
const ofRecipes = {
  compilerOptions: { ...strict, lib: ["ES2022", "ESNext.Disposable"], types: ["node"], skipLibCheck: true },
  include: ["vitest", "node-test", "playwright"]
}

/** Every declaration of the kit is checked, in a program with the types of the language only. */
const ofKit = {
  compilerOptions: { ...strict, lib: ["ES2022"], types: [], skipLibCheck: false },
  files: ["kit.mts", "kit.cts"]
}

const program = `import { connectSandbox, type Company, type Sandbox, SandboxError, startSandbox } from "@parcela/testkit"
export const test = async (): Promise<number> => {
  const sandbox: Sandbox = await startSandbox({ process: true, database: undefined })
  const company: Company = await (await connectSandbox(sandbox)).company()
  const { changes } = await company.advance({ days: 30 })
  const { payments } = await company.pay({ myId: "payment-1", value: undefined })
  await company.fail({ call: "charge", fault: { type: "Denied", code: "51" } })
  const { data } = await company.nextEvent("TransactionStatusChanged", { where: (one) => one.data["to"] === "captured" })
  await sandbox[Symbol.asyncDispose]()
  if (data instanceof SandboxError) throw data
  return changes.length + (payments[0]?.value ?? 0)
}
`

/** Playwright's own browsers are downloaded from no registry of packages: the system's, where there is one. */
const chromium = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((file) => existsSync(file))

const works = await outsideProject("the test kit", (project) => {
  project.copy(folder, ".")
  project.copy("packages/testkit/test/packed", "packed")
  project.write("kit.mts", program)
  project.write("kit.cts", program)
  project.write("tsconfig.json", JSON.stringify(ofRecipes))
  project.write("tsconfig.kit.json", JSON.stringify(ofKit))
  for (const name of ["client", "testkit"]) project.install(name)
  for (const [name, from] of Object.entries(fromRegistry)) project.link(name, from)
  const runner = "examples/node_modules"
  return [
    project.run("compiling its types", "node_modules/typescript/bin/tsc", ["-p", "tsconfig.kit.json"]),
    project.run("compiling the recipes", "node_modules/typescript/bin/tsc", ["-p", "."]),
    project.run("the recipe of vitest", `${runner}/vitest/vitest.mjs`, ["run"], "vitest"),
    project.run("the recipe of jest", `${runner}/jest/bin/jest.js`, [], "jest"),
    project.run("the recipe of node:test", "--test", [], "node-test"),
    project.run(
      "the recipe of Playwright",
      `${runner}/@playwright/test/cli.js`,
      ["test", ...(chromium === undefined ? ["--grep-invert", "@browser"] : [])],
      "playwright",
      chromium === undefined ? {} : { CHROMIUM: chromium }
    ),
    project.run("a process of its own", "--test", [], "packed")
  ].every(Boolean)
})
process.exitCode = works ? 0 : 1
const browser = chromium === undefined ? "without a browser, as there is no Chromium" : `with ${chromium}`
process.stdout.write(
  `recipes: vitest, jest, node:test, Playwright (${browser})${works ? "" : ", and something does not work"}\n`
)
