/** A project outside of the repository with our packages installed. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** `what` begins its complaints; `use` fills the folder and says whether it works. */
export const outsideProject = async (
  what: string,
  use: (project: OutsideProject) => boolean | Promise<boolean>
): Promise<boolean> => {
  const project = new OutsideProject(what)
  try {
    return await use(project)
  } finally {
    rmSync(project.folder, { recursive: true, force: true })
  }
}

export class OutsideProject {
  readonly folder = mkdtempSync(join(tmpdir(), "parcela-outside-"))
  readonly what: string

  constructor(what: string) {
    this.what = what
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true })
    writeFileSync(join(this.folder, file), text)
  }

  /** A folder of the repository. */
  copy(from: string, to: string): void {
    cpSync(join(root, from), join(this.folder, to), { recursive: true })
  }

  /** A package of ours, as it would be published, from the folder of that name in `packages`, or in `apps`. */
  install(name: string, among: "packages" | "apps" = "packages"): void {
    const pnpm = join(root, "node_modules/.bin/pnpm")
    execFileSync(pnpm, ["pack", "--out", join(this.folder, `${name}.tgz`)], {
      cwd: join(root, among, name),
      stdio: ["ignore", "pipe", "inherit"]
    })
    const folder = join(this.folder, "node_modules/@parcela", name)
    mkdirSync(folder, { recursive: true })
    execFileSync("tar", ["-xzf", join(this.folder, `${name}.tgz`), "-C", folder, "--strip-components=1"])
  }

  /** A package of the registry, as it is installed here: nothing is downloaded. */
  link(name: string, from: string): void {
    const folder = join(this.folder, "node_modules", name)
    mkdirSync(dirname(folder), { recursive: true })
    symlinkSync(realpathSync(join(root, from)), folder)
  }

  /** True if a program of Node succeeds. The program is a path from the root, or an option of Node. */
  run(
    what: string,
    program: string,
    args: ReadonlyArray<string>,
    folder = ".",
    env: Readonly<Record<string, string>> = {}
  ): boolean {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [program.startsWith("-") ? program : join(root, program), ...args],
      { cwd: join(this.folder, folder), encoding: "utf8", env: { ...process.env, ...env } }
    )
    if (status !== 0) process.stderr.write(`${this.what}: ${what} failed\n${stdout}${stderr}\n`)
    return status === 0
  }
}
