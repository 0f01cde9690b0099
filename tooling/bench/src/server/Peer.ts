/**
 * A peer: an emulator of Stripe's interface that keeps all in memory, asked for what is most alike. It is installed for a run that
 * asks for it, and is no dependency of the repository.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Operation } from "./Operations.ts"

/** Its name and version in the registry of npm. */
export const peer = { name: "stripe-stateful-mock", version: "0.0.16" }

/** Where Node finds it, once it is installed. */
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
const authorization = () => "Bearer sk_test_bench"
const formOf = (name: string) => `name=${name}&email=ana%40example.com`

/** What the peer is asked for in place of an operation; it takes part in no other. */
export const operationsOf = (customer: string): ReadonlyMap<string, Operation> =>
  new Map<string, Operation>([
    [
      "create",
      {
        name: "create",
        method: "POST",
        path: customers,
        authorization,
        request: (unique) => ({ path: customers, form: formOf(unique) })
      }
    ],
    [
      "read one",
      {
        name: "read one",
        method: "GET",
        path: `${customers}/${customer}`,
        authorization,
        request: () => ({ path: `${customers}/${customer}` })
      }
    ]
  ])

/** Makes the customer that is read. */
export const prepare = async (url: string): Promise<string> => {
  const response = await fetch(url + customers, {
    method: "POST",
    headers: { authorization: authorization(), "content-type": "application/x-www-form-urlencoded" },
    body: formOf("read")
  })
  if (!response.ok) throw new Error(`No customer of the peer: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { readonly id: string }
  return id
}
