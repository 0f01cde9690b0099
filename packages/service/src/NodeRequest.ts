/**
 * A request of Node's server as Effect's HTTP modules see one. Its body has come before it was handed on (`BufferedBodies`), so
 * reading it waits for nothing.
 *
 * @since 0.1.0
 */
import type { BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** What middleware may see otherwise than it came. */
type Changes = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

const decoder = new TextDecoder()

/** A path, also where a client sends the whole address, whose host counts then (RFC 9112, section 3.2.2). */
const pathOf = (url: string): { readonly url: string; readonly host?: string } => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return { url }
  const { host, pathname, search } = new URL(url)
  return { url: pathname + search, host }
}

/**
 * @category models
 * @since 0.1.0
 */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly source: BufferedRequest
  readonly url: string
  readonly headers: Headers.Headers
  readonly protocol: "http" | "https" | undefined
  private readonly changes: Changes

  constructor(source: BufferedRequest, changes: Changes = {}) {
    super()
    this.source = source
    this.changes = changes
    this.protocol = changes.protocol
    // A request of a server has an address.
    const received = source.url!
    const at = received.startsWith("/") ? { url: received } : pathOf(received)
    this.url = changes.url ?? at.url
    this.headers = changes.headers ?? headersOf(source, "host" in at ? at.host : undefined)
  }

  get originalUrl(): string {
    const { headers, url = "" } = this.source
    return url.startsWith("/") && headers.host !== undefined ? `http://${headers.host}${url}` : url
  }

  get method(): string {
    // As above.
    return this.source.method!
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get remoteAddress(): Option.Option<string> {
    return this.changes.remoteAddress ?? Option.fromUndefinedOr(this.source.socket.remoteAddress)
  }

  get peerAddress(): Option.Option<string> {
    return this.changes.peerAddress ?? this.remoteAddress
  }

  modify(changes: Changes): NodeRequest {
    return new NodeRequest(this.source, { url: this.url, headers: this.headers, ...this.changes, ...changes })
  }

  get text(): Effect.Effect<string, HttpServerError> {
    return Effect.mapEager(this.body, (body) => decoder.decode(body))
  }

  get json(): Effect.Effect<Schema.Json, HttpServerError> {
    return Effect.flatMap(this.text, (text) =>
      // Of such values JSON is made.
      Effect.try({ try: () => JSON.parse(text) as Schema.Json, catch: (cause) => this.unread("Parse", cause) })
    )
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError> {
    return Effect.mapEager(this.body, (body) => new Uint8Array(body).buffer)
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError> {
    return Stream.fromEffect(this.body)
  }

  get multipart() {
    return Multipart.toPersisted(this.multipartStream)
  }

  get multipartStream(): Stream.Stream<Multipart.Part, Multipart.MultipartError> {
    return Stream.pipeThroughChannel(
      Stream.mapError(this.stream, (cause) => Multipart.MultipartError.fromReason("InternalError", cause)),
      Multipart.makeChannel(this.headers)
    )
  }

  get upgrade() {
    return this.upgradeWith()
  }

  /** Node reads a request to upgrade as the ordinary request that it also is. */
  upgradeWith() {
    return Effect.fail(this.unread("Parse", new Error("This server upgrades no connection")))
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpServerRequest",
      method: this.method,
      url: UrlParams.redactUrl(this.originalUrl)
    })
  }

  /** A body that is larger than what is read is not there. */
  private get body(): Effect.Effect<Uint8Array, HttpServerError> {
    const { whole } = this.source
    return whole === undefined ? Effect.fail(this.unread("BodyTooLarge")) : Effect.succeed(whole)
  }

  private unread(reason: "BodyTooLarge" | "Parse", cause?: unknown): HttpServerError {
    return new HttpServerError({ reason: new RequestParseError({ request: this, reason, cause }) })
  }
}

/** The fields as Node has them, of which only Set-Cookie can be a list, that of responses alone. */
const headersOf = ({ headers }: BufferedRequest, host: string | undefined): Headers.Headers =>
  Headers.fromInput(host === undefined ? headers : { ...headers, host })
