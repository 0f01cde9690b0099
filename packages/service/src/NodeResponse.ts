/**
 * Responses of Effect's HTTP modules as Node's server sends them.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Cookies from "effect/http/Cookies"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { begin, giveUp } from "./BurstResponse.ts"

/**
 * Sends what came of a request; `done` is called when all that there is of it was handed to Node.
 *
 * **Details**
 *
 * What was interrupted, because the server stops or the client left, has no response: nobody knows what was done, and a 503
 * would say that nothing was.
 *
 * @category responses
 * @since 0.1.0
 */
export const send = (
  exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>,
  to: ServerResponse,
  context: Context.Context<never>,
  done: () => void
): void => {
  if (to.destroyed || (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))) {
    to.destroy()
    return done()
  }
  if (!to.req.complete) readOff(to.req)
  const response = HttpServerError.exitResponse(exit)
  const { body } = response
  try {
    begin(to, response.status, headersOf(response))
    if (body._tag === "Uint8Array") end(to, body.text, body.body)
    else if (body._tag === "Empty" || to.req.method === "HEAD" || HttpServerResponse.omitsBody(response)) to.end()
    else return void stream(response, to, context).finally(done)
  } catch (fault) {
    // Node takes no such status or header.
    giveUp(to, fault)
  }
  done()
}

/** A longer body takes less time as bytes, though Node then writes two pieces. */
const shortBody = 16_384

/** Text of single bytes Node writes together with the head. */
const end = (to: ServerResponse, text: string | undefined, bytes: Uint8Array): void => {
  if (text !== undefined) to.end(text)
  else if (bytes.length > shortBody) to.end(bytes)
  else to.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"), "latin1")
}

const headersOf = ({ cookies, headers, status }: HttpServerResponse.HttpServerResponse) => {
  if (status !== 204 && status !== 205 && Cookies.isEmpty(cookies)) return headers
  const { "content-length": length, ...others } = headers
  return {
    ...others,
    ...(status === 204 || status === 205 || length === undefined ? {} : { "content-length": length }),
    ...(Cookies.isEmpty(cookies) ? {} : { "set-cookie": Cookies.toSetCookieHeaders(cookies) })
  }
}

/** Nothing of this repository streams; what a composition adds may. A stream that breaks takes its connection with it. */
const stream = (
  response: HttpServerResponse.HttpServerResponse,
  to: ServerResponse,
  context: Context.Context<never>
): Promise<void> => {
  const { body } = HttpServerResponse.toWeb(response, { context })
  // The types of Node's streams of the Web are other ones than those of the platform.
  return pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), to).catch(() => {})
}

/** Bytes that are read of what nobody takes. */
const mostReadOff = 262_144

/** How long a client may take to end its side of a connection that is given up, in milliseconds. */
const patience = 2_000

/**
 * Reads what still comes of a body that is refused, up to a bound: a connection that is closed over unread bytes is reset, and
 * the response lost with it.
 */
const readOff = (request: IncomingMessage): void => {
  let bytes = 0
  request.on("data", (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes <= mostReadOff) return
    request.pause()
    endConnection(request.socket)
  })
}

const endConnection = (socket: Socket): void => {
  if (socket.destroyed) return
  socket.end()
  socket.setTimeout(patience, () => socket.destroy())
}
