/**
 * One PostgreSQL for all test processes of a vitest run, started when the first of them asks for it: a run that needs
 * none starts none.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type PostgresServer, start } from "./PostgresServer.ts"
import { socketVariable } from "./ServerUrl.ts"

/** Listens for the test processes; what it returns ends the server, if there is one. */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), "parcela-tests-"))
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
    rmSync(folder, { recursive: true, force: true })
    // A server that did not start was reported to whoever asked.
    await server?.then(
      ({ stop }) => stop(),
      () => undefined
    )
  }
}
