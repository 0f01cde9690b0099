/**
 * A peer: an emulator of Stripe's interface that keeps its data in memory, with the operations that are most alike. npm installs it
 * for a run that includes it; it is no dependency of the repository.
 *
 * As a program (its argument is the folder of the installation) it serves the emulator.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { operations, type Operation, type Target } from "./Operations.ts"

const peer = { name: "stripe-stateful-mock", version: "0.0.16" }

export const name = peer.name
export const program = import.meta.filename

/** Installs the peer, and returns the folder. */
export const install = (folder: string): string => {
  const own = join(folder, "peer")
  mkdirSync(own)
  writeFileSync(join(own, "package.json"), "{}")
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `${peer.name}@${peer.version}`], {
    cwd: own,
    stdio: ["ignore", "ignore", "inherit"]
  })
  return own
}

const customers = "/v1/customers"
const authorization = "Bearer sk_test_bench"
const formOf = (unique: number) => `name=${unique}&email=ana%40example.com`

export const targetOf = (url: string): Target => ({ url, basic: authorization, bearer: authorization })

/** Creates the customer that is read; returns the peer's operations by the name of ours. */
export const prepare = async (url: string): Promise<ReadonlyMap<string, Operation>> => {
  const headers = { authorization, "content-type": "application/x-www-form-urlencoded" }
  const response = await fetch(url + customers, { method: "POST", headers, body: formOf(0) })
  if (!response.ok) throw new Error(`The peer created no customer: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { readonly id: string }
  const own: ReadonlyArray<Operation> = [
    { name: "create customer", method: "POST", path: customers, body: formOf },
    { name: "read one", method: "GET", path: `${customers}/${id}` }
  ]
  return new Map(own.filter(({ name }) => operations.some((one) => one.name === name)).map((one) => [one.name, one]))
}

if (process.argv[1] === program) {
  const { createExpressApp } = createRequire(join(process.argv[2]!, "package.json"))(peer.name) as {
    readonly createExpressApp: () => RequestListener
  }
  const server = createServer(createExpressApp())
  server.listen(0, "127.0.0.1", () =>
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  )
  process.once("SIGTERM", () => process.exit(0))
}
