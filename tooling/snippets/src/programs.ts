/**
 * Runs the programs outside of the repository as they are packed, with nothing beside them but Node: the server starts, charges,
 * delivers to the receiver, shows a boleto and its pages, and both stop when they are told to.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { createServer } from "node:net"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { type OutsideProject, outsideProject } from "./OutsideProject.ts"

const programs = { "mock-server": "parcela-sandbox", "webhook-receiver": "parcela-webhook-receiver" } as const
type Program = keyof typeof programs

/** The folder of an installed program, and the file behind its command. */
const installedAt = (project: OutsideProject, name: Program) => {
  const folder = join(project.folder, "node_modules/@parcela", name)
  // What was packed.
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>
    readonly dependencies?: object
  }
  const file = manifest.bin[programs[name]]
  if (file === undefined || manifest.dependencies !== undefined) {
    throw new Error(`${name} has no command ${programs[name]}, or needs what is not in it`)
  }
  return { folder, main: join(folder, file) }
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return String(typeof address === "object" && address !== null ? address.port : 0)
}

interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  readonly said: () => string
}

const run = (project: OutsideProject, main: string, settings: Readonly<Record<string, string>>): Running => {
  const child = spawn(process.execPath, [main], {
    cwd: project.folder,
    // No NODE_OPTIONS, no settings of this shell.
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text))
  return { child, said: () => said }
}

/** Waits until a program says something, a minute at most. */
const until = async ({ child, said }: Running, wanted: RegExp): Promise<RegExpExecArray> => {
  const signal = AbortSignal.timeout(60_000)
  for (;;) {
    const found = wanted.exec(said())
    if (found !== null) return found
    if (child.exitCode !== null) throw new Error(`A program ended with ${child.exitCode}: ${said()}`)
    await once(child.stdout, "data", { signal }).catch(() => {
      throw new Error(`Not said: ${wanted} in ${said()}`)
    })
  }
}

const stopped = async ({ child, said }: Running): Promise<void> => {
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const [code] = await ended
  if (code !== 0) throw new Error(`A program that was told to stop ended with ${String(code)}: ${said()}`)
}

/** What a server responds; throws when it is no success. */
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

/** Adds a payment by boleto at a server and has its delivery sent to a receiver, whose line comes back. */
const story = async (project: OutsideProject, server: Running, receiverMain: string): Promise<void> => {
  const [, address] = await until(server, /base address +(\S+)\/v2[^]*Ctrl\+C/)
  const basic = `Basic ${btoa("sandbox:sandbox-secret")}`
  const granted = await ask(
    `${address}/v2/token`,
    "POST",
    { authorization: basic },
    { grant_type: "client_credentials" }
  )
  const authorization = `Bearer ${json<{ access_token: string }>(granted).access_token}`
  const company = json<{ webhookSecret: string }>(await ask(`${address}/sandbox/companies/sandbox`))
  const port = await freePort()
  const hooks = { url: `http://127.0.0.1:${port}/`, events: ["subscription.addTransaction"] }
  const { confirmHash } = json<{ confirmHash: string }>(
    await ask(`${address}/v2/webhooks`, "PUT", { authorization }, hooks)
  )
  const receiver = run(project, receiverMain, {
    PARCELA_RECEIVER_PORT: port,
    PARCELA_RECEIVER_DATABASE: join(project.folder, "receiver.db"),
    PARCELA_WEBHOOK_SECRET: company.webhookSecret,
    PARCELA_CONFIRM_HASH: confirmHash
  })
  try {
    await until(receiver, new RegExp(port))
    const subscription = { myId: "s", mainPaymentMethodId: "boleto", Customer: customer }
    await ask(`${address}/v2/subscriptions/manual`, "POST", { authorization }, subscription)
    const payment = { myId: "p", value: 1990, payday: "2099-01-01" }
    const added = await ask(`${address}/v2/transactions/s/myId/add`, "POST", { authorization }, payment)
    await until(receiver, /pendingBoleto/)
    const { Transaction } = json<{ Transaction: { Boleto?: { pdf: string } } }>(added)
    const pdf = await ask(Transaction.Boleto?.pdf ?? "no address of a slip")
    if (pdf.subarray(0, 5).toString() !== "%PDF-") throw new Error("The slip is no PDF")
    for (const path of ["/health", "/docs", "/openapi.json"]) await ask(`${address}${path}`)
    await stopped(receiver)
  } finally {
    receiver.child.kill("SIGKILL")
  }
}

/** Throws unless a function of the program keeps its name in the bundle, and its map says where it was written. */
const readable = (folder: string, name: string, source: string): void => {
  const files = readdirSync(join(folder, "dist")).filter((file) => file.endsWith(".js"))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, "dist", file), "utf8") }))
  const { file, text } = texts.find(({ text }) => text.includes(name)) ?? { file: "", text: "" }
  const before = text.slice(0, text.indexOf(name)).split("\n")
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, "dist", `${file}.map`), "utf8")))
  const place = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  if (!("originalSource" in place) || !place.originalSource.endsWith(source))
    throw new Error(`${name} is not traced to ${source}`)
}

const works = await outsideProject("the programs", async (project) => {
  for (const name of Object.keys(programs)) project.install(name, "apps")
  const server = installedAt(project, "mock-server")
  const running = run(project, server.main, { PARCELA_PORT: "0" })
  try {
    await story(project, running, installedAt(project, "webhook-receiver").main)
    await stopped(running)
    readable(server.folder, "boundShutdown", "src/ShutdownBound.ts")
    return true
  } catch (error) {
    process.stderr.write(`${String(error)}\n${running.said()}\n`)
    return false
  } finally {
    running.child.kill("SIGKILL")
  }
})
process.exitCode = works ? 0 : 1
process.stdout.write(`programs: ${Object.values(programs).join(", ")}${works ? "" : ", which do not work"}\n`)
