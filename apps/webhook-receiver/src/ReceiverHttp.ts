/**
 * The receiver over HTTP: POST on any path is a delivery, GET /health is the health check.
 *
 * **Details**
 *
 * The server calls `makeHandle`'s function with the complete body of a delivery. Effect's server responds to all other
 * requests.
 *
 * @since 0.1.0
 */
import type { NodeServerOptions } from "@parcela/node-server/NodeServer"
import { type Received, Receiver, TooLarge } from "@parcela/webhooks/Receiver"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Announcer } from "./Announcer.ts"

/** Responds to a request that is not a delivery, or whose body is longer than `maximumBytes`. */
export const app = (maximumBytes: number) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest
    if (request.method === "POST") return yield* tooLarge(maximumBytes)
    const isHealth = request.url.split("?")[0] === "/health"
    if (isHealth && (request.method === "GET" || request.method === "HEAD")) {
      return HttpServerResponse.jsonUnsafe({ status: "ok" })
    }
    const allow = isHealth ? "GET, HEAD, POST" : "POST"
    return HttpServerResponse.jsonUnsafe(problem(`A delivery is a POST request. Allowed methods here: ${allow}`), {
      status: 405,
      headers: { allow }
    })
  })

/** Seconds until a sender may repeat a delivery that was not stored or not printed. */
const retryAfter = "5"

/** Maximum time between storing a delivery and printing its line. Senders time out after 5 seconds. */
const maxPrinting = "2 seconds"

/** The delivery is stored, but its line was not printed in time. */
class NotPrinted extends Data.TaggedError("NotPrinted") {
  readonly status = 503
  override readonly message = "The delivery is stored, but its line was not printed within 2 s: its output is blocked"
}

type Responding = Parameters<NonNullable<NodeServerOptions["handle"]>>[1]

/** Returns the function that responds to a delivery after the delivery is stored and its line is printed. */
export const makeHandle = Effect.gen(function* () {
  const receiver = yield* Receiver
  const announcer = yield* Announcer
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  const refuse = (status: number, message: string) =>
    Effect.as(announcer.refused(status, message), [status, problem(message)] as const)

  const handle: NonNullable<NodeServerOptions["handle"]> = ({ headers, method, whole }, response) => {
    // The body of a request that is too large is not buffered, and `app` refuses the request.
    if (method !== "POST" || whole === undefined) return false
    const line = announcer.expect(String(headers["webhook-id"]))
    const printed = ({ sender }: Received) =>
      Effect.timeoutOrElse(line.written(sender), {
        duration: maxPrinting,
        orElse: () => Effect.fail(new NotPrinted())
      })
    const work = receiver.receive(whole, headers).pipe(
      Effect.tap((received) => (received._tag === "New" ? printed(received) : announcer.repeated(received))),
      Effect.map(({ _tag }) => [200, { status: _tag === "New" ? "new" : "repeated" }] as const),
      Effect.ensuring(Effect.sync(line.end)),
      Effect.catchTag(["ReceiveError", "NotPrinted"], (error) => refuse(error.status, error.message)),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("A delivery could not be received", cause), [
          500,
          problem("The receiver has a defect. Send the delivery again")
        ] as const)
      ),
      Effect.flatMap(([status, content]) => respond(response, status, content))
    )
    // Continues if the sender disconnects: a delivery that is stored needs a line.
    fork(work)
    return true
  }
  return handle
})

/** Writes a response. If this fails, closes the connection, so that the sender repeats the delivery. */
const respond = (response: Responding, status: number, content: object): Effect.Effect<void> =>
  Effect.sync(() => {
    const json = JSON.stringify(content)
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      ...(status === 503 ? { "retry-after": retryAfter } : {})
    })
    response.end(json)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logError("The response to a delivery could not be written", cause),
        Effect.sync(() => response.destroy())
      )
    )
  )

// The connection is closed, because the remainder of the body would be parsed as another request.
const tooLarge = Effect.fnUntraced(function* (maximumBytes: number) {
  const announcer = yield* Announcer
  const { message } = new TooLarge({ maximumBytes })
  yield* announcer.refused(413, message)
  return HttpServerResponse.jsonUnsafe(problem(message), { status: 413, headers: { connection: "close" } })
})

const problem = (message: string) => ({ error: { message } })
