/**
 * Runs the programs outside of the repository, twice: packed, with Node only; and in a copy of the repository with the
 * packages that `npm start` installs, without those of the tests.
 * Each time the server charges a boleto that is paid, and delivers both to the receiver.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"
import { type OutsideProject, outsideProject } from "./OutsideProject.ts"
import { storyWorks } from "./ProgramsStory.ts"

const programs = { "mock-server": "parcela-sandbox", "webhook-receiver": "parcela-webhook-receiver" } as const
type Program = keyof typeof programs

const root = join(import.meta.dirname, "../../..")

/** The folder of an installed program, and the file behind its command. */
const installedAt = (project: OutsideProject, name: Program) => {
  const folder = join(project.folder, "node_modules/@parcela", name)
  // What was packed.
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>
    readonly dependencies?: object
  }
  const file = manifest.bin[programs[name]]
  if (file === undefined || manifest.dependencies !== undefined) {
    throw new Error(`${name} has no command ${programs[name]}, or needs what is not in it`)
  }
  return { folder, main: join(folder, file) }
}

/** Throws unless a function of the program keeps its name in the bundle, and its map says where it was written. */
const readable = (folder: string, name: string, source: string): void => {
  const files = readdirSync(join(folder, "dist")).filter((file) => file.endsWith(".js"))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, "dist", file), "utf8") }))
  const { file, text } = texts.find(({ text }) => text.includes(name)) ?? { file: "", text: "" }
  const before = text.slice(0, text.indexOf(name)).split("\n")
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, "dist", `${file}.map`), "utf8")))
  const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  if (!("originalSource" in entry) || !entry.originalSource.endsWith(source))
    throw new Error(`${name} is not traced to ${source}`)
}

const asPacked = () =>
  outsideProject("the programs", async (project) => {
    for (const name of Object.keys(programs)) project.install(name, "apps")
    const server = installedAt(project, "mock-server")
    const receiver = installedAt(project, "webhook-receiver").main
    if (!(await storyWorks({ folder: project.folder, server: server.main, receiver }))) return false
    readable(server.folder, "boundShutdown", "src/ShutdownBound.ts")
    return true
  })

/** The current files of the repository, without installed packages and build output. */
const copyOfRepository = (project: OutsideProject): void => {
  const options = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const files = execFileSync("git", options, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0")
  const there = files.filter((file) => file !== "" && existsSync(join(root, file)))
  for (const file of there) cpSync(join(root, file), join(project.folder, file))
}

const asCloned = () =>
  outsideProject("a clone of the repository", async (project) => {
    copyOfRepository(project)
    const bootstrap = [join(project.folder, "tooling/bootstrap/bootstrap.mjs"), "programs"]
    execFileSync(process.execPath, bootstrap, { cwd: project.folder, stdio: ["ignore", "ignore", "pipe"] })
    const mainOf = (name: Program) => join(project.folder, `apps/${name}/src/main.ts`)
    return storyWorks({
      folder: project.folder,
      server: mainOf("mock-server"),
      receiver: mainOf("webhook-receiver")
    })
  })

const works = (await asPacked()) && (await asCloned())
process.exitCode = works ? 0 : 1
const names = `${Object.values(programs).join(", ")}, as packed and in a clone`
process.stdout.write(`programs: ${names}${works ? "" : ", which do not work"}\n`)
