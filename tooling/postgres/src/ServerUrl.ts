/** The address of this test run's PostgreSQL. */
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { PostgresMissing } from "./Binaries.ts"

/** Names the socket on which `globalSetup` listens. */
export const socketVariable = "PARCELA_TEST_POSTGRES_SOCKET"

/** Names a server that is there already, to use instead of one of our own. */
const serverVariable = "PARCELA_TEST_POSTGRES"

const ask = async (path: string): Promise<string> => {
  // What globalSetup of this package writes.
  const reply = JSON.parse(await text(connect(path))) as { readonly url?: string; readonly problem?: string }
  if (reply.url === undefined) throw new Error(reply.problem)
  return reply.url
}

let requested: Promise<string> | undefined

/** The address of the server, without a database. The first call starts the server. */
export const serverUrl = (): Promise<string> => {
  const given = process.env[serverVariable]
  if (given !== undefined && given !== "") return Promise.resolve(given.replace(/\/$/, ""))
  const path = process.env[socketVariable]
  if (path === undefined) {
    return Promise.reject(new PostgresMissing("vitest runs without tooling/postgres/src/globalSetup.ts."))
  }
  requested ??= ask(path)
  return requested
}
