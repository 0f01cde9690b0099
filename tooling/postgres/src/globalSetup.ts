/**
 * Shared by all test processes of a vitest run: a folder for their files, and one PostgreSQL, which the first request
 * starts.
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
 * The folder of the tests' files: in memory if the system has such a file system. Tests kill processes and never cut
 * power, so no flush has to reach a disk.
 */
const folderOfFiles = (): string => {
  if (!existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize > room ? inMemory : tmpdir()
}

/** Listens for the test processes; what it returns ends the server, if there is one. */
export const setup = async (): Promise<() => Promise<void>> => {
  // Every project of a run calls this.
  if (process.env[socketVariable] !== undefined) return async () => undefined
  const folder = mkdtempSync(join(folderOfFiles(), "parcela-tests-"))
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
    // A server that did not start was reported to the caller.
    await server?.then(
      ({ stop }) => stop(),
      () => undefined
    )
    rmSync(folder, { recursive: true, force: true })
  }
}
