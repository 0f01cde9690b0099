/**
 * What all test processes of a vitest run share: a folder for their files, and one PostgreSQL, started when the first of
 * them asks for it: a run that needs none starts none.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type PostgresServer, start } from "./PostgresServer.ts"
import { socketVariable } from "./ServerUrl.ts"

const inMemory = "/dev/shm"

/** Room for the files of all tests of a package, many times over. */
const room = 2 * 2 ** 30

/**
 * Where the tests make their files: in memory where the system has a file system for that. Tests kill processes and cut no
 * power, so that no flush has to reach a disk.
 */
const placeOfFiles = (): string => {
  if (!existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize > room ? inMemory : tmpdir()
}

/** Listens for the test processes; what it returns ends the server, if there is one. */
export const setup = async (): Promise<() => Promise<void>> => {
  // Every project of a run calls this.
  if (process.env[socketVariable] !== undefined) return async () => undefined
  const folder = mkdtempSync(join(placeOfFiles(), "parcela-tests-"))
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o711)
  process.env["TMPDIR"] = folder
  let server: Promise<PostgresServer> | undefined
  const socket = createServer((connection) => {
    connection.on("error", () => connection.destroy())
    server ??= start()
    server.then(
      ({ url }) => connection.end(JSON.stringify({ url })),
      (error: unknown) => connection.end(JSON.stringify({ problem: String(error) }))
    )
  })
  const path = join(folder, "postgres")
  await new Promise<void>((resolve) => void socket.listen(path, resolve))
  process.env[socketVariable] = path
  return async () => {
    socket.close()
    // A server that did not start was reported to whoever asked.
    await server?.then(
      ({ stop }) => stop(),
      () => undefined
    )
    rmSync(folder, { recursive: true, force: true })
  }
}
