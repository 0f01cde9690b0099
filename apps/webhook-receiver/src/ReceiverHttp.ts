/**
 * The receiver over HTTP: POST on any path is a delivery, GET /health says that it lives.
 *
 * @since 0.1.0
 */
import { type ReceiveError, Receiver, TooLarge } from "@parcela/webhooks/Receiver"
import { BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import { InboxWorker } from "@parcela/webhooks/InboxWorker"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Announcer } from "./Announcer.ts"

/** Responds to one request; a body may have `maximumBytes`. */
export const app = (maximumBytes: number) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest
    if (request.method === "POST") return yield* deliver(request, maximumBytes)
    const isHealth = request.url.split("?")[0] === "/health"
    if (isHealth && (request.method === "GET" || request.method === "HEAD")) {
      return HttpServerResponse.jsonUnsafe({ status: "ok" })
    }
    const allow = isHealth ? "GET, HEAD, POST" : "POST"
    return problem(405, `A delivery is a POST; here is allowed: ${allow}`, { allow })
  })

const deliver = (request: HttpServerRequest, maximumBytes: number) =>
  Effect.gen(function* () {
    // Refused unread, as the rest of it would be read for nothing.
    if (Number(request.headers["content-length"] ?? 0) > maximumBytes) return yield* tooLarge(maximumBytes)
    const rawBody = wholeBody(request.source) ?? new Uint8Array(yield* request.arrayBuffer)
    const receiver = yield* Receiver
    const announcer = yield* Announcer
    const worker = yield* InboxWorker
    // Stored even when its sender has hung up: it would come again as repeated.
    return yield* receiver.receive(rawBody, request.headers).pipe(
      Effect.tap((received) => (received._tag === "New" ? worker.wake : announcer.repeated(received))),
      Effect.map(({ _tag }) => HttpServerResponse.jsonUnsafe({ status: _tag === "New" ? "new" : "repeated" })),
      Effect.uninterruptible
    )
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(maximumBytes)),
    Effect.catchTags({
      ReceiveError: (error: ReceiveError) => refuse(error.status, error.message),
      HttpServerError: ({ reason }: HttpServerError) =>
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? tooLarge(maximumBytes)
          : refuse(400, "The body did not arrive whole")
    })
  )

/** The body that the server has read before it handed the request on. */
const wholeBody = (source: object): Uint8Array | undefined =>
  source instanceof BufferedRequest ? source.whole : undefined

// Closed, so that what still comes of the body is not taken for another request.
const tooLarge = (maximumBytes: number) =>
  Effect.map(refuse(413, new TooLarge({ maximumBytes }).message), HttpServerResponse.setHeader("connection", "close"))

const refuse = Effect.fnUntraced(function* (status: number, message: string) {
  const announcer = yield* Announcer
  yield* announcer.refused(status, message)
  return problem(status, message)
})

const problem = (status: number, message: string, headers?: Record<string, string>) =>
  HttpServerResponse.jsonUnsafe({ error: { message } }, { status, ...(headers && { headers }) })
