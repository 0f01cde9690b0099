/**
 * The receiver over HTTP: POST on any path is a delivery, GET /health says that it lives.
 *
 * **Details**
 *
 * What responds to a delivery is called by the server itself, with the whole body: Effect's server around it took as long as
 * the delivery. All other requests are Effect's.
 *
 * @since 0.1.0
 */
import { Receiver, TooLarge } from "@parcela/webhooks/Receiver"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Announcer } from "./Announcer.ts"
import type { NodeServerOptions } from "./NodeServer.ts"

/** Responds to a request that is no delivery, or one whose body is longer than `maximumBytes`. */
export const app = (maximumBytes: number) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest
    if (request.method === "POST") return yield* tooLarge(maximumBytes)
    const isHealth = request.url.split("?")[0] === "/health"
    if (isHealth && (request.method === "GET" || request.method === "HEAD")) {
      return HttpServerResponse.jsonUnsafe({ status: "ok" })
    }
    const allow = isHealth ? "GET, HEAD, POST" : "POST"
    return HttpServerResponse.jsonUnsafe(problem(`A delivery is a POST; here is allowed: ${allow}`), {
      status: 405,
      headers: { allow }
    })
  })

/** Responds to a delivery, once it is stored. */
export const makeDeliver = Effect.gen(function* () {
  const receiver = yield* Receiver
  const announcer = yield* Announcer
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  const refuse = (status: number, message: string) =>
    Effect.as(announcer.refused(status, message), [status, problem(message)] as const)

  const deliver: NodeServerOptions["deliver"] = (body, headers, respond) => {
    const work = receiver.receive(body, headers).pipe(
      Effect.tap((received) => (received._tag === "New" ? Effect.void : announcer.repeated(received))),
      Effect.map(({ _tag }) => [200, { status: _tag === "New" ? "new" : "repeated" }] as const),
      Effect.catchTag("ReceiveError", (error) => refuse(error.status, error.message)),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("A delivery could not be looked at", cause), [
          500,
          problem("A fault of the receiver: send it again")
        ] as const)
      ),
      Effect.map(([status, content]) => respond(status, JSON.stringify(content)))
    )
    // Stored even when its sender has hung up: it would come again as repeated.
    fork(work)
  }
  return deliver
})

// Closed, so that what still comes of the body is not taken for another request.
const tooLarge = Effect.fnUntraced(function* (maximumBytes: number) {
  const announcer = yield* Announcer
  const { message } = new TooLarge({ maximumBytes })
  yield* announcer.refused(413, message)
  return HttpServerResponse.jsonUnsafe(problem(message), { status: 413, headers: { connection: "close" } })
})

const problem = (message: string) => ({ error: { message } })
