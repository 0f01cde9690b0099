// Installs what the lockfile names, with the pinned pnpm, when node_modules does not hold it yet.
// Runs on any Node from 20 on, before anything is installed: built-in modules only.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const stampFile = join(root, "node_modules/.parcela-installed")
const lockFile = join(root, ".turbo/install.lock")
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const say = (line) => process.stderr.write(`${line}\n`)

/** What an install depends on: the platform, the lockfile and the workspace's own settings. */
const fingerprint = () => {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`)
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

/** Folders of packages whose own node_modules is missing, though the lockfile gives them dependencies. */
const emptied = () => {
  const folders = ["packages", "apps", "tooling"].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}`)
  )
  return [...folders, "examples"].filter((folder) => {
    const manifest = join(root, folder, "package.json")
    if (!existsSync(manifest) || existsSync(join(root, folder, "node_modules"))) return false
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, "utf8"))
    return Object.keys({ ...dependencies, ...devDependencies }).length > 0
  })
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "")

const isInstalled = () => readIfThere(stampFile) === fingerprint() && emptied().length === 0

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/** Takes the lock and returns true, or returns false when another living process holds it. */
const tryLock = () => {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
  }
  const holder = Number(readIfThere(lockFile))
  // An empty file is a lock that is being written this moment.
  if (holder === 0 || isAlive(holder)) return false
  // Its holder died. Moving it aside succeeds for one process only.
  const aside = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, aside)
  } catch {
    return false
  }
  // Had another process replaced the lock since it was read, that one is alive: give it back.
  if (Number(readIfThere(aside)) === holder) rmSync(aside)
  else renameSync(aside, lockFile)
  return false
}

const wait = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

const lock = () => {
  mkdirSync(dirname(lockFile), { recursive: true })
  for (let attempt = 0; !tryLock(); attempt++) {
    if (attempt === 1) say("Another run is installing Parcela's dependencies; waiting for it ..")
    wait(200)
  }
  process.on("exit", () => rmSync(lockFile, { force: true }))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1))
}

/** The pnpm that is installed, when it is the pinned one: it works offline. Otherwise the registry's. */
const pnpm = () => {
  const local = join(root, "node_modules/.bin/pnpm")
  if (existsSync(local)) {
    const { stdout } = spawnSync(local, ["--version"], { cwd: root, encoding: "utf8" })
    if (`pnpm@${stdout?.trim()}` === packageManager) return [local]
  }
  return ["npx", "--yes", packageManager]
}

/** One line that says what to do, or nothing when what the installation printed says it best. */
const diagnosis = (output) => {
  if (/OUTDATED_LOCKFILE/.test(output)) {
    return "pnpm-lock.yaml does not match a package.json. Run: npx pnpm install --no-frozen-lockfile"
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|META_FETCH_FAIL|NO_OFFLINE/.test(output)) {
    return "the package registry cannot be reached. Connect to the network once and run the command again."
  }
  if (/ENOSPC/.test(output)) return "the disk is full."
  return undefined
}

const install = () => {
  say(`Installing Parcela's dependencies with ${packageManager} (once; about half a minute) ..`)
  rmSync(stampFile, { force: true })
  const [command, ...first] = pnpm()
  const { error, status, stderr, stdout } = spawnSync(
    command,
    [...first, "install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CI: "true" } }
  )
  if (status === 0) return writeFileSync(stampFile, fingerprint())
  const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`
  const reason = diagnosis(output)
  if (reason === undefined) say(output.trimEnd().split("\n").slice(-20).join("\n"))
  say(`Nothing was started: installing the dependencies failed: ${reason ?? "the lines above say why."}`)
  process.exit(status ?? 1)
}

/** Node below 22.19 cannot run the sources; the packages above bring Node 24 where the registry has it. */
const hasNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return existsSync(join(root, "node_modules/.bin/node")) || major > 22 || (major === 22 && minor >= 19)
}

if (!isInstalled()) {
  lock()
  // Another run may have finished the work while this one waited.
  if (!isInstalled()) install()
}
if (!hasNode()) {
  say(`Nothing was started: there is no packaged Node for ${process.platform}-${process.arch}; install Node 24 first.`)
  process.exit(1)
}
