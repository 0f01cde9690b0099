/** The floor: `node:http` that checks the bearer, parses the body, and responds with bytes that are ready. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { deliver, setup } from "./Floor.ts"

const { authorization, routes } = setup
const exact = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
const withParameter = routes.filter(({ path }) => path.includes("/:id/"))
const allowed = new Set([authorization.basic, ...authorization.bearers])

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const url = request.url ?? ""
    const route =
      exact.get(`${request.method} ${url}`) ??
      withParameter.find(
        ({ method, path }) => method === request.method && url.startsWith(path.slice(0, path.indexOf(":")))
      )
    if (!allowed.has(request.headers.authorization ?? "")) response.writeHead(401).end()
    else if (route === undefined) response.writeHead(404).end()
    else {
      const body: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(route.response)
      })
      response.end(route.response)
      if (route.deliverTo !== undefined) deliver(route.deliverTo, route.response, body)
    }
  })
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
)
process.once("SIGTERM", () => process.exit(0))
