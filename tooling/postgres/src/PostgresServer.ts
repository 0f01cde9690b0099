/** A PostgreSQL server of its own, in a temporary folder, that ends with the process that started it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { type Binaries, binariesIn, PostgresMissing } from "./Binaries.ts"
import { freePort } from "./FreePort.ts"

/** A server that runs. */
export interface PostgresServer {
  /** Its address without a database, `postgres://parcela:..@127.0.0.1:port`. */
  readonly url: string
  /** Its processes stop where they are, as on a machine that hangs; the function that is returned lets them go on. */
  readonly pause: () => () => void
  readonly stop: () => Promise<void>
}

// Runs next to the server and holds the other end of a pipe. When the starting process ends, also by a kill, the pipe is
// closed, the server is stopped and its folder removed.
const guard = `
exec 3<&0
"$@" </dev/null >"$FOLDER/log" 2>&1 & server=$!
( cat <&3 >/dev/null; kill -QUIT $server 2>/dev/null ) &
exec 3<&-
wait $server
rm -rf "$FOLDER"
`

/** Options of the server. */
export interface PostgresOptions {
  /** Commits survive a power cut, and statistics are collected, as in production: for measuring. Default false. */
  readonly durable?: boolean
}

// Tests ask whether a killed process of ours lost anything, never whether a machine that lost power did.
const forTests = ["fsync=off", "full_page_writes=off", "shared_buffers=32MB", "autovacuum=off"]

const settings = (port: number, { durable = false }: PostgresOptions): ReadonlyArray<string> =>
  [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    ...(durable ? [] : forTests),
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_connections=200",
    // How long two that wait for one another do so before PostgreSQL looks.
    "deadlock_timeout=200ms"
  ].flatMap((setting) => ["-c", setting])

const initialize = (folder: string, password: string, { environment, initdb, owner }: Binaries): void => {
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner !== undefined) chownSync(passwordFile, owner.uid, owner.gid)
  const { error, status, stderr } = spawnSync(
    initdb,
    "-U parcela -A scram-sha-256 -c scram_iterations=1 -E UTF8 --locale=C --no-sync --no-instructions"
      .split(" ")
      .concat("-D", join(folder, "data"), "--pwfile", passwordFile),
    { env: environment, cwd: folder, encoding: "utf8", ...owner }
  )
  if (status !== 0) throw new PostgresMissing(`initdb failed: ${error?.message ?? stderr.trim()}.`)
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** True when it is ready, false if it ended. Waits at most 30 s, for a busy machine. */
const isReady = async (folder: string, server: ChildProcess): Promise<boolean> => {
  for (let look = 0; look < 3_000 && server.exitCode === null; look++) {
    if (/^ready\s*$/m.test(read(join(folder, "data/postmaster.pid")))) return true
    if (/FATAL/.test(read(join(folder, "log")))) return false
    await setTimeout(10)
  }
  return false
}

const stopServer = async (folder: string, server: ChildProcess): Promise<void> => {
  if (server.exitCode === null) {
    server.ref()
    const ended = once(server, "exit")
    server.stdin?.end()
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

const pauseServer = (folder: string): (() => void) => {
  const postmaster = read(join(folder, "data/postmaster.pid")).split("\n", 1)[0] ?? ""
  const signal = (name: "STOP" | "CONT") => {
    // The first gets its signal first: it starts no more of them.
    const { status, stderr } = spawnSync("/bin/sh", ["-c", `kill -${name} $0 && pkill -${name} -P $0`, postmaster])
    if (status !== 0) throw new Error(`The server was not paused: ${String(stderr)}`)
  }
  signal("STOP")
  return () => signal("CONT")
}

const startOnce = async (options: PostgresOptions): Promise<PostgresServer | string> => {
  const folder = mkdtempSync(join(tmpdir(), "parcela-postgres-"))
  chmodSync(folder, 0o700)
  try {
    const binaries = binariesIn(folder)
    const password = randomBytes(12).toString("hex")
    initialize(folder, password, binaries)
    const port = await freePort()
    const server = spawn(
      "/bin/sh",
      ["-c", guard, "postgres", binaries.postgres, "-D", join(folder, "data"), ...settings(port, options)],
      {
        env: { ...binaries.environment, FOLDER: folder },
        cwd: "/",
        // Ctrl+C is for the tests, whose end is the server's too.
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
        ...binaries.owner
      }
    )
    server.unref()
    if (await isReady(folder, server)) {
      return {
        url: `postgres://parcela:${password}@127.0.0.1:${port}`,
        pause: () => pauseServer(folder),
        stop: () => stopServer(folder, server)
      }
    }
    const log = read(join(folder, "log"))
    await stopServer(folder, server)
    return log
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** A server that takes connections. The port is taken a moment after it was found free, so it is tried again. */
export const start = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  let log = ""
  for (let attempt = 0; attempt < 5; attempt++) {
    const started = await startOnce(options)
    if (typeof started !== "string") return started
    log = started
  }
  throw new PostgresMissing(`the server ended at once: ${log.trim()}.`)
}
