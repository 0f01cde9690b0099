/**
 * The endpoint that both senders deliver to, in a process of its own: counts what arrives and responds at once.
 * `GET /` returns how much that was; `GET /last` the last delivery; what is sent to `/gone` gets a 410 and is counted apart; what is sent to `/parsed` is parsed.
 */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

let count = 0
let gone = 0
let last: { readonly body: string; readonly headers: IncomingHttpHeaders } | undefined

const server = createServer((request, response) => {
  if (request.method === "GET") {
    const shown = JSON.stringify(request.url === "/last" ? last : { count, gone })
    response.writeHead(200, { "content-length": Buffer.byteLength(shown) }).end(shown)
    return
  }
  const isGone = request.url === "/gone"
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (request.url === "/parsed") JSON.parse(chunks.join(""))
    if (isGone) gone += 1
    else {
      count += 1
      last = { body: chunks.join(""), headers: request.headers }
    }
    response.writeHead(isGone ? 410 : 200, { "content-length": 0 }).end()
  })
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
)
process.once("SIGTERM", () => process.exit(0))
