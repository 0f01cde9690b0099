/**
 * The floor of a sender: `node:http` posts the same bytes again and again over kept connections, and nothing else.
 * Arguments: address, file with the request, how many, how many at once. Prints what it took.
 */
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import type { Sent } from "./Deliveries.ts"

const [url = "", file = "", posts = "", connections = ""] = process.argv.slice(2)
const { body, headers } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const own = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "connection" && name !== "host"))

const post = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: "POST", headers: own }, (response) => {
      response.resume()
      response.on("end", resolve)
    })
    sent.on("error", reject)
    sent.end(body)
  })

const send = async (count: number): Promise<void> => {
  let left = count
  const one = async () => {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: Number(connections) }, one))
}

await send(1_000)
const before = process.cpuUsage()
const started = performance.now()
await send(Number(posts))
const seconds = (performance.now() - started) / 1_000
const { system, user } = process.cpuUsage(before)
const sent: Sent = { count: Number(posts), seconds, cpuMicros: system + user }
process.stdout.write(JSON.stringify(sent))
process.exit(0)
