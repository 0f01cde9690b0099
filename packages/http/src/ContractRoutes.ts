/**
 * Routes of a contract. Each route authenticates, authorizes, decodes the request, runs its operation and writes the
 * response. Routes are derived from the contract, so a new operation needs one endpoint and one use case.
 *
 * **Details**
 *
 * The order of these steps is part of the interface: an unauthenticated or unauthorized client learns nothing about its
 * body. Successful requests create no span and no error object.
 *
 * @since 0.1.0
 */
import type { Scope } from "@parcela/core/companies/Scope"
import { type NullFields, serializer } from "@parcela/core/json/ResponseSerializer"
import type { MyId } from "@parcela/core/values/Identifier"
import type { Bearer } from "@parcela/engine/authentication/Tokens"
import type { Secrets } from "@parcela/engine/authentication/Secrets"
import { Origin, machineNow } from "@parcela/engine/ports/WriteContext"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { Settings } from "@parcela/engine/Settings"
import { Forbidden } from "@parcela/transport/ApiError"
import { FaultEntity, InterfaceNames } from "@parcela/transport/contract/Operation"
import { type Endpoint, endpointsOf } from "@parcela/transport/Endpoints"
import { FaultsAsErrorNode, IdempotentWrite, RequiredScope } from "@parcela/transport/Security"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import type { Authenticate } from "./Authentication.ts"
import { isInterface, noStore } from "./Paths.ts"
import { badQuery, unsupportedMediaType } from "./ErrorResponse.ts"
import * as Idempotency from "./Idempotency.ts"
import { withNaming } from "./Naming.ts"
import { kindOf, textOf, tooManyMembers, noteIn } from "./ReceivedRequest.ts"
import type { Operations } from "./Operation.ts"
import * as RequestDecoder from "./RequestDecoder.ts"
import { noteUnknownKeys, unknownKeysHeader } from "./InvalidRequest.ts"
import { errorResponse, type UseCaseError } from "./UseCaseErrors.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { businessTimeOf, dateAt } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Option from "effect/Option"

/**
 * Allows or refuses a request by rules that do not depend on a company.
 *
 * @category models
 * @since 0.1.0
 */
export type Guard = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<void, UseCaseError, HttpServerRequest.HttpServerRequest>

/** The class of a middleware, as a contract declares it. */
interface MiddlewareKey {
  readonly key: string
}

/**
 * @category options
 * @since 0.1.0
 */
export interface RouteOptions {
  /** Authentication for each security middleware that endpoints declare. */
  readonly authentication?: ReadonlyArray<readonly [MiddlewareKey, Authenticate]>
  /** Checks for the other middleware that endpoints declare. */
  readonly guards?: ReadonlyArray<readonly [MiddlewareKey, Guard]>
  /** True if alternative forms of values and unknown keys are accepted. */
  readonly isTolerant: boolean
  /** True if a customer's document may be a CNPJ with letters. */
  readonly mayHaveLetters?: boolean
  /** Creates a `myId` for an entity when the request has none. Without this option such a request is refused. */
  readonly newMyId?: Effect.Effect<MyId>
  /** True if clients of another naming profile are served. See `DecoderOptions`. */
  readonly isOtherNaming?: boolean
  /** True if a missing body is read as an empty object, whatever its content type. */
  readonly isBodyOptional?: boolean
  /** The fields that are `null` without a value. */
  readonly nulls?: NullFields
  /**
   * True if responses are encoded by their schemas. Otherwise the serializer picks the schema's fields from the view.
   */
  readonly isEncoded?: boolean
}

/** An operation without its types. The decoder has checked the request with the schemas of the endpoint. */
type AnyOperation = (request: object) => Effect.Effect<unknown, UseCaseError>

/** Returns today's date on the company's clock, or on the machine's clock if no company is given. */
type CompanyDay = (companyId: CompanyId | undefined) => Effect.Effect<LocalDate, StoreError>

const makeCompanyDay: Effect.Effect<CompanyDay, never, CompanyClocks> = Effect.gen(function* () {
  const clocks = yield* CompanyClocks
  const { zone } = yield* Settings
  return Effect.fnUntraced(function* (companyId) {
    const clock = companyId === undefined ? Option.none() : yield* clocks.find(companyId)
    const machine = yield* machineNow
    return dateAt(Option.isSome(clock) ? businessTimeOf(machine, clock.value.offset) : machine, zone)
  })
})

interface Route {
  readonly name: string
  readonly entity: string
  readonly authenticate: Authenticate | undefined
  readonly guards: ReadonlyArray<Guard>
  readonly scope: Scope | undefined
  /** Forbids caches to store the response. */
  readonly cacheControl: Readonly<Record<string, string>>
  readonly isWrite: boolean
  readonly decoder: RequestDecoder.RequestDecoder
  /** Adds the generated `myId` to a decoded body. */
  readonly withMyId: (payload: unknown) => Effect.Effect<unknown>
  readonly render: Idempotency.Render
  readonly operation: AnyOperation
  readonly underKey: Effect.Success<typeof Idempotency.make>
  readonly todayOf: CompanyDay
}

/**
 * Adds the routes of a contract to the router.
 *
 * @category layers
 * @since 0.1.0
 */
export const add = Effect.fnUntraced(function* <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  operations: Operations<Groups>,
  options: RouteOptions
): Effect.fn.Return<void, never, CompanyClocks | HttpRouter.HttpRouter | Secrets> {
  const router = yield* HttpRouter.HttpRouter
  const given = { todayOf: yield* makeCompanyDay, underKey: yield* Idempotency.make }
  const applyNaming = withNaming(yield* Settings)
  for (const one of endpointsOf(api)) {
    const { endpoint, group, path } = one
    const middleware = new Set([...endpoint.middlewares].map(({ key }) => key))
    const name = `${group.identifier}.${endpoint.identifier}`
    const checks = guardsOf(name, middleware, options)
    // The type of `operations` has an entry for each endpoint.
    const operation = (operations as unknown as { readonly [name: string]: AnyOperation })[name]!
    const isWrite = middleware.has(IdempotentWrite.key)
    const cacheControl = isInterface(path) ? noStore : {}
    const route = { name, isWrite, operation, cacheControl, ...checks, ...given, ...partsOf(one, options) }
    // These bodies use the names of the interface although another contract declares them.
    const handled = Context.get(one.annotations(), InterfaceNames) ? applyNaming(handle(route)) : handle(route)
    // Contracts use only methods that the router supports.
    yield* router.add(endpoint.method as "GET", path, handled)
  }
})

/** Returns the decoder, scope and serializer of an endpoint. */
const partsOf = (
  one: Endpoint,
  {
    nulls,
    isOtherNaming = false,
    isBodyOptional = false,
    isEncoded,
    isTolerant,
    mayHaveLetters = false,
    newMyId
  }: RouteOptions
): Pick<Route, "decoder" | "entity" | "render" | "scope" | "withMyId"> => {
  const annotations = one.annotations()
  const entity = Context.getOrUndefined(annotations, FaultEntity) ?? "Request"
  const mayLackMyId = newMyId !== undefined
  const reading = { annotations, entity, isOtherNaming, isBodyOptional, isTolerant, mayHaveLetters, mayLackMyId }
  const decoder = RequestDecoder.make(one.endpoint, reading)
  return {
    entity,
    scope: Context.getOrUndefined(annotations, RequiredScope),
    decoder,
    withMyId: newMyId !== undefined && decoder.isMyIdMade ? addMyId(newMyId) : Effect.succeed,
    render: (isEncoded === true ? encoding : picking(nulls))(one.success())
  }
}

/**
 * Returns the checks before an operation. Middleware without an implementation would leave the endpoint open, so it
 * throws.
 */
const guardsOf = (
  name: string,
  middleware: ReadonlySet<string>,
  { authentication = [], guards = [] }: RouteOptions
): Pick<Route, "authenticate" | "guards"> => {
  const known = new Set(
    [FaultsAsErrorNode, IdempotentWrite, ...[...authentication, ...guards].map(([one]) => one)].map(({ key }) => key)
  )
  for (const key of middleware)
    if (!known.has(key)) throw new Error(`${name} declares ${key}, without an implementation`)
  return {
    authenticate: authentication.find(([{ key }]) => middleware.has(key))?.[1],
    guards: guards.flatMap(([{ key }, guard]) => (middleware.has(key) ? [guard] : []))
  }
}

/** Returns the body with a new `myId` if it has none. */
const addMyId =
  (newMyId: Effect.Effect<MyId>) =>
  (payload: unknown): Effect.Effect<unknown> =>
    typeof payload !== "object" || payload === null || "myId" in payload
      ? Effect.succeed(payload)
      : Effect.map(newMyId, (myId) => ({ ...payload, myId }))

const encoding = ({ ast }: Schema.Top): Idempotency.Render => {
  const encode = Schema.encodeUnknownSync(Schema.make<Schema.Codec<unknown>>(ast))
  return (view) => new TextEncoder().encode(JSON.stringify(encode(view)))
}

const picking =
  (nulls: NullFields | undefined) =>
  (schema: Schema.Top): Idempotency.Render =>
    // The type of `Operation` guarantees that the view fits this schema.
    serializer(schema, nulls) as Idempotency.Render

/** Services that the server and the router provide to each request. */
type Services = HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

type Refused = UseCaseError | HttpServerResponse.HttpServerResponse

const handle = (route: Route): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Services> =>
  Effect.withFiber((fiber) =>
    Effect.catch(respond(route, fiber), (error) =>
      HttpServerResponse.isHttpServerResponse(error) ? Effect.succeed(error) : errorResponse(error, route.isWrite)
    )
  )

type Responding = Effect.Effect<HttpServerResponse.HttpServerResponse, Refused, HttpServerRequest.HttpServerRequest>

const respond = (route: Route, fiber: Fiber.Fiber<unknown, unknown>): Responding => {
  // The type of `handle` guarantees these services.
  const context = fiber.context as Context.Context<Services>
  const request = Context.get(context, HttpServerRequest.HttpServerRequest)
  const { authenticate, guards, scope } = route
  const enter = (): Responding =>
    authenticate === undefined
      ? run(route, request, context, undefined)
      : Effect.flatMap(authenticate(request), (client) => {
          noteIn(context, { companyId: client.companyId })
          if (scope !== undefined && !client.scopes.includes(scope)) {
            return Effect.fail(new Forbidden({ message: `The token lacks the scope ${scope}` }))
          }
          // Effect's server restores the context after the request.
          fiber.setContext(as(client, context))
          return run(route, request, context, client)
        })
  return guards.length === 0
    ? enter()
    : guards.reduceRight((inner, guard) => Effect.andThen(guard(request), inner), Effect.suspend(enter))
}

/** Adds the authenticated client to the context, for origin and logs. */
const as = ({ clientId, companyId }: Bearer, context: Context.Context<Services>): Context.Context<Services> =>
  Context.add(
    Context.add(context, Origin, {
      ...Context.get(context, Origin),
      actor: { _tag: "Client", clientId }
    }),
    References.CurrentLogAnnotations,
    { ...Context.get(context, References.CurrentLogAnnotations), company: companyId }
  )

const run = (
  route: Route,
  request: HttpServerRequest.HttpServerRequest,
  context: Context.Context<Services>,
  client: Bearer | undefined
): Effect.Effect<HttpServerResponse.HttpServerResponse, Refused> =>
  Effect.flatMapEager(read(route, request, context, client), ({ input, unknownKeys }) =>
    Effect.map(route.operation(input), (view) => {
      const response = toResponse(view, route)
      if (unknownKeys.length === 0) return response
      noteUnknownKeys(context, unknownKeys)
      return unknownKeysHeader(response, unknownKeys)
    })
  )

/**
 * Returns the input of the operation. It completes synchronously if the body has been read and the request is valid.
 */
const read = Effect.fnUntracedEager(function* (
  route: Route,
  request: HttpServerRequest.HttpServerRequest,
  context: Context.Context<Services>,
  client: Bearer | undefined
): Effect.fn.Return<{ readonly input: object; readonly unknownKeys: ReadonlyArray<string> }, Refused> {
  const { decoder, withMyId } = route
  const hasBody = request.method !== "GET" && request.method !== "HEAD"
  const text = hasBody ? yield* textOf(request) : ""
  const tooMany = tooManyMembers(text, route.entity)
  if (tooMany !== undefined) return yield* tooMany
  const key = route.isWrite ? request.headers["idempotency-key"] : undefined
  const faultOfKey = Idempotency.faultOfKey(key)
  if (faultOfKey !== undefined) return yield* faultOfKey
  const today = route.todayOf(client?.companyId)
  const params = decoder.params && (yield* decoder.params(Context.get(context, HttpRouter.RouteContext).params, today))
  if (!isPercentEncoded(request.url)) return yield* Effect.fail(badQuery)
  const query =
    decoder.query && (yield* decoder.query(Context.get(context, HttpServerRequest.ParsedSearchParams), today))
  const payload = decoder.json && (yield* payloadOf(decoder, decoder.json, request, text, today))
  const entity = params && (yield* RequestDecoder.entityOf(params.value))
  // Without a generated `myId`: a repeat under the same key must be the same request.
  const sent = { operation: route.name, params: params?.value, payload: payload?.value }
  const input = {
    client,
    entity,
    params: params?.value,
    query: query?.value,
    payload: payload && (yield* withMyId(payload.value)),
    underKey:
      key === undefined || client === undefined
        ? Idempotency.withoutKey
        : route.underKey(client.companyId, key, sent, route.render)
  }
  return { input, unknownKeys: [...(query?.unknownKeys ?? []), ...(payload?.unknownKeys ?? [])] }
})

/** True if the query of a URL is valid percent-encoded UTF-8. The router checks the path. */
const isPercentEncoded = (url: string): boolean => {
  const start = url.indexOf("?")
  if (start === -1 || !url.includes("%", start)) return true
  try {
    decodeURIComponent(url.slice(start))
    return true
  } catch {
    return false
  }
}

/** Decodes the body by its kind. */
const payloadOf = (
  { form, isBodyOptional }: RequestDecoder.RequestDecoder,
  json: RequestDecoder.Reader<string>,
  request: HttpServerRequest.HttpServerRequest,
  text: string,
  today: RequestDecoder.Today
): Effect.Effect<RequestDecoder.Read, Refused> => {
  if (text === "" && isBodyOptional) return json(text, today)
  const contentType = request.headers["content-type"]
  const kind = kindOf(contentType, text)
  if (kind === "json") return json(text, today)
  return kind === "form" && form !== undefined ? form(text, today) : Effect.fail(unsupportedMediaType(contentType))
}

const toResponse = (view: unknown, { cacheControl, render }: Route): HttpServerResponse.HttpServerResponse => {
  if (view instanceof Idempotency.Replayed) {
    const headers = { "idempotent-replayed": "true", ...cacheControl }
    return HttpServerResponse.text(view.text, { status: view.status, contentType: "application/json", headers })
  }
  const body = view instanceof Idempotency.Rendered ? view.body : render(view)
  const response = HttpServerResponse.uint8Array(body, { contentType: "application/json" })
  // The headers object was created above and is not shared.
  Object.assign(response.headers, cacheControl)
  return response
}
