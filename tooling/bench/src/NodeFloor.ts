/** A floor: `node:http` that checks the authorization, parses the body and responds with prepared bytes. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { floor } from "./Floor.ts"

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const text = floor.responses[`${request.method} ${request.url}`]
    if (!floor.authorizations.includes(request.headers.authorization ?? "")) return void response.writeHead(401).end()
    if (text === undefined) return void response.writeHead(404).end()
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    response.end(text)
  })
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
)
process.once("SIGTERM", () => process.exit(0))
