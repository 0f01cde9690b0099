/**
 * The receiver over HTTP: POST on any path is a delivery, GET /health says that it lives.
 *
 * **Details**
 *
 * The server itself calls the function that responds to a delivery, with the whole body. Effect's server responds to all other
 * requests.
 *
 * @since 0.1.0
 */
import { type Received, Receiver, TooLarge } from "@parcela/webhooks/Receiver"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Announcer } from "./Announcer.ts"
import type { NodeServerOptions } from "@parcela/node-server/NodeServer"

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

/** Seconds after which a sender may repeat a delivery that could not be stored or printed. */
const untilStored = "5"

/** How long the acknowledgement of a stored delivery waits for its line. Senders time out after 5 seconds. */
const mostPrinting = "2 seconds"

/** A delivery is stored, and its line is not written in time. */
class NotPrinted extends Data.TaggedError("NotPrinted") {
  readonly status = 503
  override readonly message = "The delivery is stored, but its line was not printed within 2 s: its output is blocked"
}

/** Responds to a delivery, once it is stored and its line is written. */
export const makeHandle = Effect.gen(function* () {
  const receiver = yield* Receiver
  const announcer = yield* Announcer
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  const refuse = (status: number, message: string) =>
    Effect.as(announcer.refused(status, message), [status, problem(message)] as const)

  const handle: NonNullable<NodeServerOptions["handle"]> = ({ headers, method, whole }, response) => {
    // A body that is too large is not whole: `app` refuses it.
    if (method !== "POST" || whole === undefined) return false
    const line = announcer.expect(String(headers["webhook-id"]))
    const printed = ({ sender }: Received) =>
      Effect.timeoutOrElse(line.written(sender), {
        duration: mostPrinting,
        orElse: () => Effect.fail(new NotPrinted())
      })
    const work = receiver.receive(whole, headers).pipe(
      Effect.tap((received) => (received._tag === "New" ? printed(received) : announcer.repeated(received))),
      Effect.map(({ _tag }) => [200, { status: _tag === "New" ? "new" : "repeated" }] as const),
      Effect.ensuring(Effect.sync(line.end)),
      Effect.catchTag(["ReceiveError", "NotPrinted"], (error) => refuse(error.status, error.message)),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("A delivery could not be looked at", cause), [
          500,
          problem("A fault of the receiver: send it again")
        ] as const)
      ),
      Effect.map(([status, content]) => {
        const json = JSON.stringify(content)
        response.writeHead(status, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(json),
          ...(status === 503 ? { "retry-after": untilStored } : {})
        })
        response.end(json)
      })
    )
    // Stored also when its sender has hung up: its repetition is then answered as repeated.
    fork(work)
    return true
  }
  return handle
})

// Closed, so that what still comes of the body is not taken for another request.
const tooLarge = Effect.fnUntraced(function* (maximumBytes: number) {
  const announcer = yield* Announcer
  const { message } = new TooLarge({ maximumBytes })
  yield* announcer.refused(413, message)
  return HttpServerResponse.jsonUnsafe(problem(message), { status: 413, headers: { connection: "close" } })
})

const problem = (message: string) => ({ error: { message } })
