/**
 * The receiver over HTTP: POST on any path is a delivery, GET /health says that it lives.
 *
 * @since 0.1.0
 */
import { defaultMaximumBytes, type ReceiveError, Receiver, TooLarge } from "@parcela/webhooks/Receiver"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Announcer } from "./Announcer.ts"

/** Answers one request. */
export const app = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (request.method === "POST") return yield* deliver(request)
  const isHealth = request.url.split("?")[0] === "/health"
  if (isHealth && (request.method === "GET" || request.method === "HEAD")) {
    return HttpServerResponse.jsonUnsafe({ status: "ok" })
  }
  const allow = isHealth ? "GET, HEAD, POST" : "POST"
  return problem(405, `A delivery is a POST; here is allowed: ${allow}`, { allow })
})

const deliver = (request: HttpServerRequest) =>
  Effect.gen(function* () {
    const rawBody = new Uint8Array(yield* request.arrayBuffer)
    const receiver = yield* Receiver
    const announcer = yield* Announcer
    // Once claimed, a delivery is announced even when its sender has hung up; and only after the answer went out,
    // which is when the request's scope closes.
    return yield* receiver.receive(rawBody, request.headers).pipe(
      Effect.tap((received) => Effect.addFinalizer(() => announcer.received(received))),
      Effect.map(({ _tag }) => HttpServerResponse.jsonUnsafe({ status: _tag === "New" ? "new" : "repeated" })),
      Effect.uninterruptible
    )
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(defaultMaximumBytes)),
    Effect.catchTags({
      ReceiveError: (error: ReceiveError) => refuse(error.status, error.message),
      HttpServerError: ({ reason }: HttpServerError) =>
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? refuse(413, new TooLarge({ maximumBytes: defaultMaximumBytes }).message)
          : refuse(400, "The body did not arrive whole")
    })
  )

const refuse = Effect.fnUntraced(function* (status: number, message: string) {
  const announcer = yield* Announcer
  yield* announcer.refused(status, message)
  return problem(status, message)
})

const problem = (status: number, message: string, headers?: Record<string, string>) =>
  HttpServerResponse.jsonUnsafe({ error: { message } }, { status, ...(headers && { headers }) })
