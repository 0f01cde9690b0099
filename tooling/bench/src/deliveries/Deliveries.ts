/** What the bench of deliveries asks of a server, and what it measures of one. */
import { setTimeout as pause } from "node:timers/promises"
import { run } from "../server/Load.ts"
import { bytesOf, type Operation } from "../server/Operations.ts"
import type { ServerProcess } from "../server/ServerProcess.ts"
import { write } from "./Backlog.ts"

/** POSTs that were made, with the sender's CPU. */
export interface Sent {
  readonly count: number
  readonly seconds: number
  readonly cpuMicros: number
}

export interface Listening {
  readonly server: ServerProcess
  readonly database: string
  readonly authorization: string
  readonly endpoint: string
}

const ask = async (url: string, authorization: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(url + path, {
    method,
    // A kept connection may be closed by the other end while bare POSTs are measured.
    headers: { authorization, "content-type": "application/json", connection: "close" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const countsAt = async (endpoint: string) =>
  (await (await fetch(endpoint, { headers: { connection: "close" } })).json()) as {
    readonly count: number
    readonly gone: number
  }

const countAt = async (endpoint: string): Promise<number> => (await countsAt(endpoint)).count

/** A company that pays by card later, so that each payment brings one event and nothing else. */
export const prepared = async (server: ServerProcess, database: string, endpoint: string): Promise<Listening> => {
  const basic = `Basic ${Buffer.from("sandbox:sandbox-secret").toString("base64")}`
  const token = await ask(server.url, basic, "POST", "/v2/token", { grant_type: "client_credentials" })
  const authorization = `Bearer ${token.access_token as string}`
  await ask(server.url, authorization, "POST", "/v2/subscriptions/manual", {
    myId: "hooked",
    mainPaymentMethodId: "creditcard",
    Customer: { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] },
    PaymentMethodCreditCard: {
      Card: { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }
    }
  })
  return { server, database, authorization, endpoint }
}

const listenAt = ({ authorization, server }: Listening, url: string) =>
  ask(server.url, authorization, "PUT", "/v2/webhooks", { url, events: ["subscription.addTransaction"] })

const path = "/v2/transactions/hooked/myId/add"
const add: Pick<Operation, "method"> = { method: "POST" }
let sequence = 0

/** Payments for so many seconds; returns how many. */
const pay = async ({ authorization, server }: Listening, connections: number, seconds: number): Promise<number> => {
  const next = () => {
    sequence += 1
    const body = { myId: `${process.pid}-${sequence}`, value: 1990, payday: "2098-01-31" }
    return { request: bytesOf(add, authorization, { path, body }) }
  }
  const measured = await run({ url: server.url, connections, seconds, open: "before", next })
  if (measured.firstFailure !== undefined) throw new Error(measured.firstFailure)
  return measured.completed
}

/** Deliveries that wait, of the sandbox's company, up to a hundred. */
const waiting = async ({ server }: Listening): Promise<number> => {
  const address = `${server.url}/sandbox/companies/sandbox/deliveries?state=pending`
  const response = await fetch(address, { headers: { connection: "close" } })
  return ((await response.json()) as { readonly deliveries: ReadonlyArray<unknown> }).deliveries.length
}

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(10)
}

/** A backlog is written while the endpoint is off, and then leaves. */
export const backlog = async (listening: Listening, count: number): Promise<Sent> => {
  const { database, endpoint, server } = listening
  await listenAt(listening, `${endpoint}/gone`)
  const { gone } = await countsAt(endpoint)
  await pay(listening, 1, 0.001)
  await until(async () => (await countsAt(endpoint)).gone > gone)
  await write(database, count)
  const before = await countAt(endpoint)
  const usage = await server.usage()
  const started = performance.now()
  await listenAt(listening, `${endpoint}/`)
  await until(async () => (await countAt(endpoint)) - before >= count)
  const seconds = (performance.now() - started) / 1_000
  // What was refused with a 410 waits half a minute for its next try.
  await until(async () => (await waiting(listening)) <= gone + 1)
  return { count, seconds, cpuMicros: (await server.usage()).cpuMicros - usage.cpuMicros }
}

/** Payments at 32 connections, and how many of their deliveries arrived before the last of them was paid. */
export const underLoad = async (listening: Listening, seconds: number) => {
  const { endpoint } = listening
  await listenAt(listening, `${endpoint}/`)
  const before = await countAt(endpoint)
  const payments = await pay(listening, 32, seconds)
  const arrived = (await countAt(endpoint)) - before
  const ended = performance.now()
  await until(async () => (await countAt(endpoint)) - before >= payments)
  return { payments, seconds, arrived, rest: (performance.now() - ended) / 1_000 }
}
