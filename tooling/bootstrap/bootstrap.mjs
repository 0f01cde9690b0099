// Installs the packages of the lockfile with the pinned pnpm if node_modules lacks them: with the argument "programs" only
// those of the programs, without it also those of the checks and tests.
// Runs on any Node from 20 on, before anything is installed: built-in modules only.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { hasPackagedNode, linkPackagedNode, needsPackagedNode } from "./packagedNode.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const stampFile = join(root, "node_modules/.parcela-installed")
const lockFile = join(root, ".turbo/install.lock")
const extent = process.argv[2] === "programs" ? "programs" : "all"
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const say = (line) => process.stderr.write(`${line}\n`)

/** The inputs of an install: the platform, the lockfile and the settings of the workspace. */
const fingerprint = () => {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`)
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

/** The folders of the workspace that have a node_modules of their own. */
const filled = () =>
  ["packages", "apps", "tooling"]
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`))
    .concat("examples")
    .filter((folder) => existsSync(join(root, folder, "node_modules")))

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** The last install of this script: its extent, its inputs, and the folders that it filled. */
const stamp = () => {
  try {
    return JSON.parse(readIfThere(stampFile))
  } catch {
    return undefined
  }
}

const isInstalled = () => {
  const last = stamp()
  if (last?.fingerprint !== fingerprint()) return false
  const now = filled()
  return (
    (last.extent === "all" || extent === "programs") &&
    (last.hasNode || !needsPackagedNode()) &&
    last.folders.every((folder) => now.includes(folder))
  )
}

/** An install of everything, by hand or by an older version of this script, must keep its packages. */
const extentToInstall = () =>
  stamp()?.extent === "programs" || !existsSync(join(root, "node_modules/.modules.yaml")) ? extent : "all"

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
  // An empty file is a lock that is being written.
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

/** A line with a remedy, or nothing if the output of the install has one. */
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

// A start trusts the lockfile as it trusts the sources beside it; hashes of packages are compared all the same. Else pnpm
// first reads all releases of each package in the lockfile, those for tests too, to learn whether one is too young: 140 MB
// over hundreds of connections. An installation of everything, as for tests, does so.
const trusting = ["--trust-lockfile", "--network-concurrency=8"]

const selection = (chosen, withNode) =>
  chosen === "programs"
    ? [...trusting, "--prod", "--filter-prod={./apps/*}...", ...(withNode ? ["--filter=@parcela/tooling-node"] : [])]
    : withNode
      ? []
      : ["--filter=!@parcela/tooling-node"]

/** Runs a program to its end: its exit code and what it printed. A signal to this process ends it too. */
const run = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, CI: "true" }
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text))
    process.once("exit", () => {
      try {
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM")
      } catch {
        // It ended at this moment.
      }
    })
    child.once("error", (error) => resolve({ status: 1, output: output + error.message }))
    child.once("close", (status) => resolve({ status: status ?? 1, output }))
  })

const install = async () => {
  const chosen = extentToInstall()
  const hasNode = needsPackagedNode()
  const what = chosen === "programs" ? "what the programs need" : "Parcela's dependencies"
  say(`Installing ${what} with ${packageManager} (once; about half a minute, as the registry is fast or slow) ..`)
  const [command, ...first] = pnpm()
  rmSync(stampFile, { force: true })
  const { output, status } = await run(command, [
    ...first,
    "install",
    "--frozen-lockfile",
    "--prefer-offline",
    "--reporter=append-only",
    ...selection(chosen, hasNode)
  ])
  if (status === 0) {
    return writeFileSync(
      stampFile,
      JSON.stringify({ extent: chosen, fingerprint: fingerprint(), hasNode, folders: filled() })
    )
  }
  const reason = diagnosis(output)
  if (reason === undefined) say(output.trimEnd().split("\n").slice(-20).join("\n"))
  say(`Nothing was started: installing the dependencies failed: ${reason ?? "the lines above say why."}`)
  process.exit(status)
}

/** Node below 22.19 cannot run the sources; a package brings Node 24 where the registry has one for the platform. */
const hasNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return hasPackagedNode() || major > 22 || (major === 22 && minor >= 19)
}

/** Sets up the hook that checks commit subjects, where the clone has no hooks of its own. */
const useHooks = () => {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" })
  if (!existsSync(join(root, ".git")) || git("config", "core.hooksPath").status !== 1) return
  const set = git("config", "--local", "core.hooksPath", "tooling/hooks")
  if (set.status === 0) say("Commit subjects are checked by tooling/hooks; undo: git config --unset core.hooksPath")
}

if (!isInstalled()) {
  lock()
  // Another run may have finished the work while this one waited.
  if (!isInstalled()) await install()
}
linkPackagedNode(needsPackagedNode())
if (extent === "all") useHooks()
if (!hasNode()) {
  say(`Nothing was started: there is no packaged Node for ${process.platform}-${process.arch}; install Node 24 first.`)
  process.exit(1)
}
