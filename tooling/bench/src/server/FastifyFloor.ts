/** The other floor: Fastify with a schema for each request and response, as it is meant to be used. */
import Fastify from "fastify"
import { deliver, type FloorRoute, setup } from "./Floor.ts"
import { schemaOf } from "./SampleSchema.ts"

const { authorization, routes } = setup
const allowed = new Set([authorization.basic, ...authorization.bearers])
const app = Fastify()

app.addHook("onRequest", async (request, reply) => {
  if (!allowed.has(request.headers.authorization ?? "")) await reply.code(401).send({ error: "unauthorized" })
})

/** Routes that differ in their query only are one route of Fastify's. */
const byPath = Map.groupBy(routes, ({ method, path }) => `${method} ${path.split("?")[0]}`)

for (const [, same] of byPath) {
  const [{ method, path, requestBody }] = same as [FloorRoute, ...Array<FloorRoute>]
  const responses = new Map(same.map((route) => [route.path, JSON.parse(route.response) as unknown]))
  const [first] = responses.values()
  app.route({
    method,
    url: path.split("?")[0]!,
    schema: {
      ...(requestBody === undefined ? {} : { body: schemaOf([requestBody]) }),
      response: { 200: schemaOf([...responses.values()]) }
    },
    handler: (request, reply) => {
      void reply.send(responses.get(request.url) ?? first)
      const { deliverTo, response } = same[0]!
      if (deliverTo !== undefined) deliver(deliverTo, response, request.body)
    }
  })
}

process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`)
process.once("SIGTERM", () => process.exit(0))
