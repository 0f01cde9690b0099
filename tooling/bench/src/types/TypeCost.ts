/** What the compiler does for a program of ten lines that uses a client, as published: counts, which are the same in each run. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface TypeCost {
  readonly files: number
  readonly lines: number
  readonly types: number
  readonly instantiations: number
  /** Seconds that the run took in all, which are of this machine and this moment. */
  readonly seconds: number
}

const bench = join(import.meta.dirname, "../..")
const packages = join(bench, "../../packages")
const compiler = join(bench, "../../node_modules/typescript/bin/tsc")

/** The files of `programs`, with the packages of ours whose declarations they read. */
const programs = { parcela: ["client"], stripe: [], effectClient: ["core", "transport"], effectAlone: [] } as const

export type Program = keyof typeof programs

const options = {
  target: "ES2024",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"]
}

/** Where programs are compiled: below this folder, so that they find what it depends on. */
const prepared = (name: string): string => {
  const folder = join(bench, "node_modules", name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** What each program costs in a round, with the declarations of our packages as they are published. */
export const costsOf = <Name extends Program>(
  names: ReadonlyArray<Name>,
  rounds = 1
): ReadonlyArray<Readonly<Record<Name, TypeCost>>> => {
  const folder = prepared(`.types-${process.pid}`)
  try {
    for (const name of new Set<string>(names.flatMap((program) => programs[program]))) {
      const args = [
        "-p",
        join(packages, name, "tsconfig.build.json"),
        "--outDir",
        join(folder, name),
        "--checkers",
        "1"
      ]
      execFileSync(process.execPath, [compiler, ...args, "--emitDeclarationOnly", "--sourceMap", "false"])
    }
    return Array.from(
      { length: rounds },
      () =>
        // One entry for each name.
        Object.fromEntries(names.map((program) => [program, costOf(folder, program)])) as Record<Name, TypeCost>
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const costOf = (folder: string, program: Program): TypeCost => {
  const paths = {
    "@parcela/client": [join(folder, "client/index.d.ts")],
    "@parcela/core/*": [join(folder, "core/*.d.ts")],
    "@parcela/transport/*": [join(folder, "transport/*.d.ts")]
  }
  const config = join(folder, `${program}.json`)
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...options, paths }, files: [join(bench, "programs", `${program}.ts`)] })
  )
  const args = [compiler, "-p", config, "--extendedDiagnostics", "--checkers", "1"]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} does not compile:\n${stdout}`)
  const read = (label: string): number => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1])
  return {
    files: read("Files"),
    lines: read("Lines"),
    types: read("Types"),
    instantiations: read("Instantiations"),
    seconds: read("Total time")
  }
}
