/**
 * What a delivery costs the webhook receiver (verified, stored durably, acknowledged; and printed) beside a bare server that parses
 * the same bytes, in alternating rounds of one run. `README.md` says how to read it.
 */
import { createHmac, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { median } from "./Children.ts"
import { type Measured, run } from "./server/Load.ts"
import { type ServerProcess, start } from "./server/ServerProcess.ts"
import { hasSettled, settle, warmUp } from "./server/Settling.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "32" },
    /** A folder for a CPU profile of the receiver. */
    profile: { type: "string" }
  }
})
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const key = randomBytes(32)
const confirmHash = randomBytes(16).toString("hex")

const card = { myId: "card-1", number: "4111********1111", expiresAt: "2099-12", brand: { id: "visa", name: "Visa" } }
const customer = {
  svcPayId: 3,
  myId: "ana",
  name: "Ana Souza",
  document: "52998224725",
  emails: ["ana@example.com"],
  phones: [11999999999],
  createdAt: "2026-07-01 09:00:00",
  updatedAt: "2026-07-01 09:00:00"
}

/** A delivery as the server sends it, of a transaction of its own. */
const bodyOf = (webhookId: number): string =>
  JSON.stringify({
    event: "transaction.updateStatus",
    webhookId,
    confirmHash,
    Transaction: {
      svcPayId: webhookId,
      myId: `pay-${webhookId}`,
      value: 12_990,
      payday: "2026-08-01",
      payedOutsideSvcPay: false,
      additionalInfo: "Mensalidade de agosto, plano família",
      installment: 1,
      status: "captured",
      statusDescription: "Capturada na operadora",
      statusDate: "2026-08-01 09:00:00",
      subscriptionMyId: "sub-1",
      subscriptionSvcPayId: 5,
      tid: "20260801090000123456",
      authorizationCode: "123456",
      createdAt: "2026-08-01 08:00:00",
      CreditCard: { Card: card },
      ConciliationOccurrences: []
    },
    Subscription: {
      svcPayId: 5,
      myId: "sub-1",
      mainPaymentMethodId: "creditcard",
      status: "active",
      Customer: customer,
      PaymentMethodCreditCard: { Card: card },
      createdAt: "2026-07-01 09:00:00",
      updatedAt: "2026-07-01 09:00:00",
      ExtraFields: []
    }
  })

let webhookId = 0
const next = () => {
  webhookId += 1
  const body = bodyOf(webhookId)
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac("sha256", key).update(`${webhookId}.${timestamp}.${body}`).digest("base64")
  const head =
    `POST /parsed HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nwebhook-id: ${webhookId}\r\nwebhook-timestamp: ${timestamp}\r\n` +
    `webhook-signature: v1,${signature}\r\n\r\n`
  return { request: Buffer.from(head + body) }
}

const measure = async (server: ServerProcess, seconds: number) => {
  const before = await server.usage()
  const load = { url: server.url, connections: Number(values.connections), seconds, open: "before", next } as const
  const measured: Measured = await run(load)
  if (measured.firstFailure !== undefined) throw new Error(measured.firstFailure)
  const cpuMicros = (await server.usage()).cpuMicros - before.cpuMicros
  return { cpuMicros, requests: measured.completed, perSecond: measured.completed / measured.seconds }
}

/** By the rule of the server's bench. */
const warm = async (name: string, server: ServerProcess) => {
  const slices = await settle((seconds) => measure(server, seconds))
  const requests = slices.reduce((sum, { requests }) => sum + requests, 0)
  const isSettled = hasSettled(slices, warmUp)
  process.stdout.write(`${name.padEnd(12)} warmed with ${requests} requests${isSettled ? "" : ", not settled"}\n`)
}

const folder = mkdtempSync(join(tmpdir(), "parcela-receiver-"))
const floor = await start({ program: at("deliveries/Endpoint.ts"), env: {} })
const receiver = await start({
  program: at("../../../apps/webhook-receiver/src/main.ts"),
  env: {
    PARCELA_RECEIVER_PORT: "0",
    PARCELA_RECEIVER_DATABASE: join(folder, "inbox.db"),
    PARCELA_WEBHOOK_SECRET: `whsec_${key.toString("base64")}`,
    PARCELA_CONFIRM_HASH: confirmHash,
    ...(values.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` })
  }
})
try {
  const seconds = Number(values.seconds)
  await warm("bare server", floor)
  await warm("receiver", receiver)
  const ratios: Array<number> = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const [bare, own] = [await measure(floor, seconds), await measure(receiver, seconds)]
    ratios.push(own.cpuMicros / own.requests / (bare.cpuMicros / bare.requests))
    for (const [name, { cpuMicros, perSecond, requests }] of [
      ["bare server", bare],
      ["receiver", own]
    ] as const) {
      const micros = (cpuMicros / requests).toFixed(0).padStart(5)
      process.stdout.write(
        `${name.padEnd(12)} ${perSecond.toFixed(0).padStart(6)} a second  ${micros} us of CPU each\n`
      )
    }
  }
  process.stdout.write(`the receiver takes ${median(ratios).toFixed(1)} times the CPU of the bare server\n`)
} finally {
  await receiver.stop()
  await floor.stop()
  rmSync(folder, { recursive: true, force: true })
}
