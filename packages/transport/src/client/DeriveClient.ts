/**
 * A client derived from a contract: one method for each operation, at run time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { WriteOptions } from "./CallOptions.ts"
import { InvalidRequest } from "./ClientError.ts"
import type { ClientOf, Reading } from "./ClientOf.ts"
import { type CommonOptions, withoutSlash } from "./ClientOptions.ts"
import { type Operation, operationsOf } from "./Operation.ts"
import { itemsKeyOf, itemsOf, pagesOf } from "./Pages.ts"
import type { Send } from "./RequestAttempt.ts"
import { requestEncoder } from "./RequestEncoder.ts"
import { lenient, strict } from "./ResponseDecoder.ts"
import { retriedRead, retriedWrite, sentOnce } from "./RetryPolicy.ts"
import { type TokenManager, withToken } from "./TokenManager.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface DeriveOptions<R extends Reading = Reading, Bound extends string = string> extends CommonOptions {
  /** Names the client in spans: `ParcelaClient`. */
  readonly name: string
  /**
   * How responses are read: `lenient` for a service of others, with secrets redacted; `plain` the same with secrets as
   * text; `strict` for what only we write, as it is written.
   */
  readonly reading: R
  /** Makes the idempotency key of a write that is given none; needed where an operation takes one. */
  readonly newKey?: Effect.Effect<string> | undefined
  /** Where tokens come from; needed where an operation asks for one. */
  readonly tokens?: TokenManager["Service"] | undefined
  /** Parameters of the path that every call shares: no call takes them. */
  readonly bound?: { readonly [Name in Bound]: unknown } | undefined
}

/**
 * The client of a contract.
 *
 * **Details**
 *
 * Each operation is a method of its group: `client.transactions.add(subscription, body, options)`. Its arguments are
 * what the path names (a `Ref` where it has a `typeId`), the query or the body, and the options of the call. A list in
 * pages has two more methods: `listPages` and `listAll`, which are streams.
 *
 * A read is repeated where that may help; a write under its idempotency key, which is generated when none is given; a
 * write that has no key is sent once.
 *
 * @category constructors
 * @since 0.1.0
 */
export const deriveClient = Effect.fnUntraced(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint,
  R extends Reading,
  Bound extends string = never
>(contract: HttpApi.HttpApi<Id, Groups>, options: DeriveOptions<R, Bound>) {
  const http = yield* HttpClient.HttpClient
  const client: Record<string, Record<string, unknown>> = {}
  for (const operation of operationsOf(contract)) {
    const group = (client[operation.group] ??= {})
    const call = methodOf(operation, options, http)
    group[operation.method] = Effect.fn(`${options.name}.${operation.name}`)(call)
    const itemsKey = itemsKeyOf(operation)
    if (itemsKey === undefined) continue
    // A list's call takes a query and options, and brings a page.
    const list = group[operation.method] as Parameters<typeof pagesOf>[0]
    group[`${operation.method}Pages`] = (query?: object, given?: unknown) => pagesOf(list, itemsKey, query, given)
    group[`${operation.method}All`] = (query?: object, given?: unknown) => itemsOf(list, itemsKey, query, given)
  }
  // The methods were made from the contract that the type is computed from.
  return client as ClientOf<Groups, R, Bound>
})

const methodOf = (operation: Operation, options: DeriveOptions, http: HttpClient.HttpClient) => {
  const { newKey, tokens } = options
  if (operation.needsToken && tokens === undefined) throw new Error(`${operation.name} asks for a token`)
  const keys = operation.hasKey ? newKey : undefined
  if (operation.hasKey && keys === undefined) throw new Error(`${operation.name} takes an idempotency key`)
  const send = sender(http, operation.needsToken ? tokens : undefined)
  let codecs: ReturnType<typeof codecsOf> | undefined
  return function* (...args: ReadonlyArray<unknown>) {
    const { decode, encode } = (codecs ??= codecsOf(operation, options))
    const { options: given, request } = yield* Effect.fromResult(encode(args))
    // The last argument is what the type of the operation says.
    const call: WriteOptions = { ...options, ...(given as WriteOptions | undefined) }
    const policy = { ...options, timeout: call.timeout, retries: call.retries }
    const of = { operation: operation.name, decode }
    if (operation.verb === "GET") return yield* retriedRead(policy, { ...of, send: send(request) })
    if (keys === undefined) return yield* sentOnce(policy, { ...of, send: send(request) })
    const key = yield* call.idempotencyKey === undefined ? keys : checkedKey(call.idempotencyKey)
    if (call.onKey !== undefined) yield* call.onKey(key)
    const keyed = HttpClientRequest.setHeader(request, "idempotency-key", key)
    return yield* retriedWrite(policy, { ...of, send: send(keyed) }, key)
  }
}

/** Made at the first call of an operation: a program uses few of them. */
const codecsOf = (operation: Operation, options: DeriveOptions) => ({
  encode: requestEncoder(operation, { ...options, baseUrl: withoutSlash(options.baseUrl) }),
  decode:
    options.reading === "strict" ? strict(operation.success) : lenient(operation.success, options.reading === "plain")
})

const sender =
  (http: HttpClient.HttpClient, tokens: TokenManager["Service"] | undefined) =>
  (request: HttpClientRequest.HttpClientRequest): Send =>
  (onSent) => {
    const execute = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.suspend(() => {
        onSent()
        return http.execute(request)
      })
    return tokens === undefined
      ? execute(request)
      : withToken(tokens, (token) => execute(HttpClientRequest.bearerToken(request, token)))
  }

const checkedKey = (key: string) =>
  // Anything else could not travel in a header as it is.
  /^[\x21-\x7e]{1,255}$/u.test(key)
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidRequest({ details: { "Request.idempotencyKey": ["must have 1 to 255 visible ASCII characters"] } })
      )
