/** The first use of the programs: a boleto is charged and paid, and the receiver gets the signed events of both. */
import { once } from "node:events"
import { createServer } from "node:net"
import { join } from "node:path"
import { type Running, run, stopped, until } from "./RunningProgram.ts"

/** The folder in which the programs start, and their files. */
export interface Programs {
  readonly folder: string
  readonly server: string
  readonly receiver: string
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return String(typeof address === "object" && address !== null ? address.port : 0)
}

/** The response of a server. Throws if it is not a success. */
const ask = async (address: string, method = "GET", headers: Record<string, string> = {}, body?: object) => {
  const response = await fetch(address, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const content = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${content.toString()}`)
  return content
}

// Its callers say what the interface has.
const json = <A>(content: Buffer): A => JSON.parse(content.toString()) as A

const customer = { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }

/** Adds a payment by boleto, looks at its PDF, and pays it. */
const charged = async (address: string, authorization: string): Promise<void> => {
  const subscription = { myId: "s", mainPaymentMethodId: "boleto", Customer: customer }
  await ask(`${address}/v2/subscriptions/manual`, "POST", { authorization }, subscription)
  const payment = { myId: "p", value: 1990, payday: "2099-01-01" }
  const added = await ask(`${address}/v2/transactions/s/myId/add`, "POST", { authorization }, payment)
  const { Transaction } = json<{ Transaction: { Boleto?: { pdf: string } } }>(added)
  const pdf = await ask(Transaction.Boleto?.pdf ?? "no address of a PDF")
  if (pdf.subarray(0, 5).toString() !== "%PDF-") throw new Error("The boleto is no PDF")
  const company = `${address}/sandbox/companies/sandbox`
  await ask(`${company}/payments`, "POST", {}, { myId: "p" })
  // A bank reports it on its next business day.
  await ask(`${company}/clock/advance`, "POST", {}, { bySeconds: 5 * 86_400 })
  const listed = await ask(`${address}/v2/transactions?startAt=0&limit=1&myIds=p`, "GET", { authorization })
  const status = json<{ Transactions: ReadonlyArray<{ status: string }> }>(listed).Transactions[0]?.status
  if (status !== "payedBoleto") throw new Error(`The boleto that was paid is ${status}`)
}

/** The receiver prints what it has verified by the sender's secret, and nothing else. */
const delivered = async (server: Running, programs: Programs): Promise<void> => {
  const [, address = ""] = await until(server, /base URL +(\S+)\/v2[^]*Ctrl\+C/)
  const basic = `Basic ${btoa("sandbox:sandbox-secret")}`
  const form = { grant_type: "client_credentials" }
  const granted = await ask(`${address}/v2/token`, "POST", { authorization: basic }, form)
  const authorization = `Bearer ${json<{ access_token: string }>(granted).access_token}`
  const company = json<{ webhookSecret: string }>(await ask(`${address}/sandbox/companies/sandbox`))
  const port = await freePort()
  const events = ["subscription.addTransaction", "transaction.updateStatus"]
  const hooks = { url: `http://127.0.0.1:${port}/`, events }
  const { confirmHash } = json<{ confirmHash: string }>(
    await ask(`${address}/v2/webhooks`, "PUT", { authorization }, hooks)
  )
  const receiver = run(programs.folder, programs.receiver, {
    PARCELA_RECEIVER_PORT: port,
    PARCELA_RECEIVER_DATABASE: join(programs.folder, "receiver.db"),
    PARCELA_WEBHOOK_SECRET: company.webhookSecret,
    PARCELA_CONFIRM_HASH: confirmHash
  })
  try {
    await until(receiver, new RegExp(port))
    await charged(address, authorization)
    await until(receiver, /addTransaction.*pendingBoleto/)
    await until(receiver, /updateStatus.*payedBoleto/)
    for (const path of ["/health", "/docs", "/openapi.json"]) await ask(`${address}${path}`)
    await stopped(receiver)
  } finally {
    receiver.child.kill("SIGKILL")
  }
}

/** True if all steps work. Prints failures on standard error. */
export const storyWorks = async (programs: Programs): Promise<boolean> => {
  const server = run(programs.folder, programs.server, { PARCELA_PORT: "0" })
  try {
    await delivered(server, programs)
    await stopped(server)
    return true
  } catch (error) {
    process.stderr.write(`${String(error)}\n${server.output()}\n`)
    return false
  } finally {
    server.child.kill("SIGKILL")
  }
}
