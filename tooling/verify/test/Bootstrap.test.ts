import { assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const bootstrap = join(import.meta.dirname, "../../bootstrap")

/** Stands in for `npx pnpm install`: notes how it was called, and fills the folders that pnpm would fill. */
const npx = (node: string) => `#!/bin/sh
echo "$*" >> calls
test -e slow && { echo $$ > pid; exec sleep 60; }
mkdir -p node_modules packages/a/node_modules
touch node_modules/.modules.yaml
case "$*" in
  *--filter=!@parcela/tooling-node*) ;;
  *--prod*--filter=@parcela/tooling-node*) mkdir -p tooling/node/node_modules/.bin; ln -sf ${node} tooling/node/node_modules/.bin/node ;;
  *--prod*) ;;
  *) mkdir -p tooling/node/node_modules/.bin; ln -sf ${node} tooling/node/node_modules/.bin/node ;;
esac
`

const hook = join(import.meta.dirname, "../../hooks/commit-msg")

/** A repository of three files with the script in it, and what runs it there. */
const repository = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bootstrap-")))
  for (const folder of ["packages/a", "apps", "tooling/node", "bin"]) mkdirSync(join(root, folder), { recursive: true })
  cpSync(bootstrap, join(root, "tooling/bootstrap"), { recursive: true })
  writeFileSync(join(root, "package.json"), JSON.stringify({ packageManager: "pnpm@0.0.0" }))
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml"]) writeFileSync(join(root, file), "")
  writeFileSync(join(root, "bin/npx"), npx(process.execPath))
  chmodSync(join(root, "bin/npx"), 0o755)

  const script = join(root, "tooling/bootstrap/bootstrap.mjs")
  const env = { PATH: `${join(root, "bin")}:/usr/bin:/bin` }
  /** Runs the script as npm on a Node of that version does. */
  const run = (extent: "programs" | "all", { node = process.execPath, npmOn = "24.0.0" } = {}) => {
    const { status, stderr } = spawnSync(node, extent === "programs" ? [script, extent] : [script], {
      encoding: "utf8",
      timeout: 15_000,
      env: {
        ...env,
        npm_config_user_agent: `npm/11.0.0 node/v${npmOn} linux x64`,
        npm_node_execpath: "/usr/bin/no-node"
      }
    })
    assert.strictEqual(status, 0, stderr)
  }
  const calls = () =>
    existsSync(join(root, "calls"))
      ? readFileSync(join(root, "calls"), "utf8")
          .trim()
          .split("\n")
          .map((call) => call.replace(/^.*--reporter=append-only ?/, ""))
      : []
  return { root, script, env, run, calls, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

const programs = "--trust-lockfile --network-concurrency=8 --prod --filter-prod={./apps/*}..."
const withoutNode = "--filter=!@parcela/tooling-node"

describe("what is installed before a command", () => {
  it("is what the programs need, once", () => {
    using repo = repository()
    repo.run("programs")
    repo.run("programs")
    assert.deepStrictEqual(repo.calls(), [programs])
  })

  it("becomes everything for a test, and is not made smaller by a start", () => {
    using repo = repository()
    repo.run("programs")
    repo.run("all")
    repo.run("programs")
    repo.run("all")
    assert.deepStrictEqual(repo.calls(), [programs, withoutNode])
  })

  it("stays everything where it was installed by hand", () => {
    using repo = repository()
    mkdirSync(join(repo.root, "node_modules"))
    writeFileSync(join(repo.root, "node_modules/.modules.yaml"), "")
    repo.run("programs")
    assert.deepStrictEqual(repo.calls(), [withoutNode])
  })

  it("is installed again when the lockfile changes or a folder was emptied", () => {
    using repo = repository()
    repo.run("programs")
    writeFileSync(join(repo.root, "pnpm-lock.yaml"), "other")
    repo.run("programs")
    rmSync(join(repo.root, "packages/a/node_modules"), { recursive: true })
    repo.run("programs")
    assert.deepStrictEqual(repo.calls(), [programs, programs, programs])
  })
})

describe("the packaged Node", () => {
  /** A Node within the repository, as the packaged one is: the scripts run on it, whatever runs npm. */
  const packagedNode = (root: string): string => {
    const node = join(root, "node_modules/.pnpm/node/bin/node")
    mkdirSync(dirname(node), { recursive: true })
    copyFileSync(process.execPath, node)
    writeFileSync(join(root, "bin/npx"), npx(node))
    return node
  }

  it("is brought and put first where npm runs on an older one", () => {
    using repo = repository()
    const node = packagedNode(repo.root)
    const link = join(repo.root, "node_modules/.bin/node")
    repo.run("programs", { node, npmOn: "20.20.2" })
    assert.deepStrictEqual(repo.calls(), [`${programs} --filter=@parcela/tooling-node`])
    assert.strictEqual(realpathSync(link), node)
    repo.run("all", { node, npmOn: "20.20.2" })
    assert.strictEqual(repo.calls()[1]?.includes("filter"), false)
    assert.strictEqual(realpathSync(link), node)

    // npm has been updated: its Node is used from now on, and back.
    repo.run("all", { node, npmOn: "26.10.0" })
    assert.isUndefined(lstatSync(link, { throwIfNoEntry: false }))
    repo.run("all", { node, npmOn: "20.20.2" })
    assert.strictEqual(realpathSync(link), node)
    assert.lengthOf(repo.calls(), 2)
  })

  it("is linked by commands that start at the same moment", async () => {
    using repo = repository()
    const node = packagedNode(repo.root)
    repo.run("programs", { node, npmOn: "20.20.2" })
    const program = `
      import { linkPackagedNode } from "./tooling/bootstrap/packagedNode.mjs"
      for (let round = 0; round < 500; round++) linkPackagedNode(round % 3 > 0)
    `
    const commands = Array.from({ length: 4 }, async () => {
      const command = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: repo.root })
      const problems = command.stderr.toArray()
      const [status] = await once(command, "exit")
      return { status, problems: Buffer.concat(await problems).toString() }
    })
    const linked = { status: 0, problems: "" }
    assert.deepStrictEqual(await Promise.all(commands), [linked, linked, linked, linked])
    assert.strictEqual(realpathSync(join(repo.root, "node_modules/.bin/node")), node)
    assert.deepStrictEqual(readdirSync(join(repo.root, "node_modules/.bin")), ["node"])
  })

  it("is not brought where npm runs on 24 or later", () => {
    using repo = repository()
    repo.run("programs")
    assert.isFalse(existsSync(join(repo.root, "node_modules/.bin/node")))
    assert.isFalse(existsSync(join(repo.root, "tooling/node/node_modules")))
  })
})

describe("an installation under way", () => {
  it("ends with the command that is told to stop", async () => {
    using repo = repository()
    writeFileSync(join(repo.root, "slow"), "")
    const pidFile = join(repo.root, "pid")
    const changes = watch(repo.root)
    const child = spawn(process.execPath, [repo.script, "programs"], { env: repo.env, stdio: "ignore" })
    try {
      const signal = AbortSignal.timeout(10_000)
      while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await once(changes, "change", { signal })
      const installer = Number(readFileSync(pidFile, "utf8"))
      const exited = once(child, "exit", { signal })
      child.kill("SIGTERM")
      assert.deepStrictEqual(await exited, [1, null])
      // Its process has ended, or is a child that was not yet reaped.
      const isAlive = () => {
        try {
          return !/^State:\s+Z/m.test(readFileSync(`/proc/${installer}/status`, "utf8"))
        } catch {
          return false
        }
      }
      while (isAlive()) {
        signal.throwIfAborted()
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      changes.close()
      child.kill("SIGKILL")
    }
  })
})

describe("the hook for commit messages", () => {
  const git = (root: string, ...args: ReadonlyArray<string>) =>
    spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim()

  it("is set up by a test run, not by a start, and never in the place of another", () => {
    using repo = repository()
    git(repo.root, "init", "-q")
    repo.run("programs")
    assert.strictEqual(git(repo.root, "config", "core.hooksPath"), "")
    repo.run("all")
    assert.strictEqual(git(repo.root, "config", "core.hooksPath"), "tooling/hooks")
    git(repo.root, "config", "core.hooksPath", "my/hooks")
    repo.run("all")
    assert.strictEqual(git(repo.root, "config", "core.hooksPath"), "my/hooks")
  })

  it.each([
    ["a subject of 72 characters", "é".repeat(72), 0],
    ["a subject of 73 characters", "é".repeat(73), 1],
    ["a long body", `short\n\n${"x".repeat(100)}`, 0],
    ["a revert", `Revert "${"x".repeat(80)}"`, 0]
  ])("decides on %s", (_, message, status) => {
    using repo = repository()
    const file = join(repo.root, "message")
    writeFileSync(file, message)
    const env = { PATH: "/usr/bin:/bin" }
    assert.strictEqual(spawnSync("/bin/sh", [hook, file], { env }).status, status)
  })
})
