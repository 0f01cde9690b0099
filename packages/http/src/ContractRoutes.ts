/**
 * Routes of a contract: each authenticates, authorizes, reads the request, runs its operation and writes the response. They
 * are made from the contract, so that an operation is a line of contract and a use case.
 *
 * **Details**
 *
 * The order of the steps is part of the interface: without authentication and scope nothing is said about a body. On the
 * way of a good request there is no span and no error object.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import type { Scope } from "@parcela/core/companies/Scope"
import { type Absent, type View, writer } from "@parcela/core/json/Picking"
import type { EntityRef, MyId } from "@parcela/core/values/Identifier"
import type { Bearer } from "@parcela/engine/authentication/Tokens"
import type { Secrets } from "@parcela/engine/authentication/Secrets"
import { Origin } from "@parcela/engine/ports/Origin"
import type { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { Settings } from "@parcela/engine/Settings"
import { BadRequest, Forbidden } from "@parcela/transport/ApiError"
import { FaultEntity, InterfaceNames } from "@parcela/transport/contract/Operation"
import { type Endpoint, endpointsOf } from "@parcela/transport/Endpoints"
import { entityRef } from "@parcela/transport/EntityPath"
import { FaultsAsErrorNode, IdempotentWrite, RequiredScope } from "@parcela/transport/Security"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Authenticate } from "./Authentication.ts"
import { cacheControlOf } from "./CacheControl.ts"
import * as CompanyDay from "./CompanyDay.ts"
import { badQuery, unsupportedMediaType } from "./ErrorResponse.ts"
import * as Idempotency from "./Idempotency.ts"
import { spoken } from "./Naming.ts"
import { kindOf, textOf, tooManyMembers } from "./RequestBody.ts"
import * as RequestDecoder from "./RequestDecoder.ts"
import { noteUnknownKeys } from "./InvalidRequest.ts"
import { noteIn } from "./RequestRecord.ts"
import { unknownKeysHeader } from "./UnknownKeys.ts"
import { type DocumentedError, errorResponse, type UseCaseError } from "./UseCaseErrors.ts"

/**
 * What an operation is given: the decoded parts of its request, whose it is, the entity that its path names, and for a write
 * the use of its `Idempotency-Key`.
 *
 * @category models
 * @since 0.1.0
 */
export type OperationRequest<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Omit<
  HttpApiEndpoint.Request<Endpoint>,
  "endpoint" | "group" | "headers" | "request"
> & {
  readonly client: Bearer
  readonly entity: EntityRef
  readonly underKey: Idempotency.UnderKey
}

/**
 * A use case behind an endpoint: a decoded request to the view that the response is picked from. Its errors become failures
 * that the endpoint documents.
 *
 * @category models
 * @since 0.1.0
 */
export type Operation<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  request: OperationRequest<Endpoint>
) => Effect.Effect<
  View<Endpoint["~Success"]["Type"]> | Idempotency.Rendered | Idempotency.Replayed,
  DocumentedError<Endpoint["~Error"]["Type"]>
>

type Named<Group> = Group extends HttpApiGroup.Constraint
  ? HttpApiGroup.Endpoints<Group> extends infer Endpoint
    ? Endpoint extends HttpApiEndpoint.ConstraintRequest
      ? { readonly name: `${Group["identifier"]}.${Endpoint["identifier"]}`; readonly endpoint: Endpoint }
      : never
    : never
  : never

/**
 * The operations of a contract by `group.endpoint`.
 *
 * @category models
 * @since 0.1.0
 */
export type Operations<Groups extends HttpApiGroup.Constraint> = {
  readonly [N in Named<Groups> as N["name"]]: Operation<N["endpoint"]>
}

/**
 * Whether a request is allowed, where that does not depend on a company.
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
  /** Who authenticates, by the security that an endpoint declares. */
  readonly authentication?: ReadonlyArray<readonly [MiddlewareKey, Authenticate]>
  /** Other middleware that endpoints declare. */
  readonly guards?: ReadonlyArray<readonly [MiddlewareKey, Guard]>
  /** Whether requests are read in other forms and with unknown keys. */
  readonly isTolerant: boolean
  /** Whether a customer's document may be a CNPJ with letters. */
  readonly mayHaveLetters?: boolean
  /** Makes the `myId` of what a request creates and gives none. Without this, such a request is refused. */
  readonly newMyId?: Effect.Effect<MyId>
  /** Whether a body that is not there is read as an empty object, whatever its content type. */
  readonly isBodyOptional?: boolean
  /** What becomes of fields without a value; by default they are left out. */
  readonly absent?: Absent
  /** Whether responses are encoded by their schemas. Others are picked by them from views. */
  readonly isEncoded?: boolean
}

/** An operation with its types forgotten: its request was decoded by its own schemas. */
type AnyOperation = (request: object) => Effect.Effect<unknown, UseCaseError>

interface Route {
  readonly name: string
  readonly entity: string
  readonly authenticate: Authenticate | undefined
  readonly guards: ReadonlyArray<Guard>
  readonly scope: Scope | undefined
  readonly cacheControl: ReturnType<typeof cacheControlOf>
  readonly isWrite: boolean
  readonly decoder: RequestDecoder.RequestDecoder
  /** What the operation is given of a decoded body. */
  readonly named: (payload: unknown) => Effect.Effect<unknown>
  readonly render: Idempotency.Render
  readonly operation: AnyOperation
  readonly underKey: Effect.Success<typeof Idempotency.make>
  readonly todayOf: CompanyDay.CompanyDay
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
  const given = { todayOf: yield* CompanyDay.make, underKey: yield* Idempotency.make }
  const speak = spoken(yield* Settings)
  for (const one of endpointsOf(api)) {
    const { endpoint, group, path } = one
    const middleware = new Set([...endpoint.middlewares].map(({ key }) => key))
    const name = `${group.identifier}.${endpoint.identifier}`
    const entering = enteringOf(name, middleware, options)
    // The type of `operations` has one for each endpoint.
    const operation = (operations as unknown as { readonly [name: string]: AnyOperation })[name]!
    const isWrite = middleware.has(IdempotentWrite.key)
    const cacheControl = cacheControlOf(path)
    const route = { name, isWrite, operation, cacheControl, ...entering, ...given, ...partsOf(one, options) }
    // Bodies have the names of the interface where the contract is another.
    const handled = Context.get(one.annotations(), InterfaceNames) ? speak(handle(route)) : handle(route)
    // The contract has methods that a router knows.
    yield* router.add(endpoint.method as "GET", path, handled)
  }
})

/** How an endpoint's requests are read and its responses written. */
const partsOf = (
  one: Endpoint,
  { absent, isBodyOptional = false, isEncoded, isTolerant, mayHaveLetters = false, newMyId }: RouteOptions
): Pick<Route, "decoder" | "entity" | "named" | "render" | "scope"> => {
  const annotations = one.annotations()
  const entity = Context.getOrUndefined(annotations, FaultEntity) ?? "Request"
  const mayLackMyId = newMyId !== undefined
  const reading = { annotations, entity, isBodyOptional, isTolerant, mayHaveLetters, mayLackMyId }
  const decoder = RequestDecoder.make(one.endpoint, reading)
  return {
    entity,
    scope: Context.getOrUndefined(annotations, RequiredScope),
    decoder,
    named: newMyId !== undefined && decoder.isMyIdMade ? naming(newMyId) : Effect.succeed,
    render: (isEncoded === true ? encoding : picking(absent))(one.success())
  }
}

/** What stands before an endpoint. Middleware that nobody provides would leave it open. */
const enteringOf = (
  name: string,
  middleware: ReadonlySet<string>,
  { authentication = [], guards = [] }: RouteOptions
): Pick<Route, "authenticate" | "guards"> => {
  const known = new Set(
    [FaultsAsErrorNode, IdempotentWrite, ...[...authentication, ...guards].map(([one]) => one)].map(({ key }) => key)
  )
  for (const key of middleware) if (!known.has(key)) throw new Error(`${name} declares ${key}, and nobody provides it`)
  return {
    authenticate: authentication.find(([{ key }]) => middleware.has(key))?.[1],
    guards: guards.flatMap(([{ key }, guard]) => (middleware.has(key) ? [guard] : []))
  }
}

/** A body that has no `myId` with one that is made. */
const naming =
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
  (absent: Absent | undefined) =>
  (schema: Schema.Top): Idempotency.Render =>
    // The type of `Operation` says that its view is one of this schema.
    writer(schema, absent) as Idempotency.Render

/** What the server and the router provide. */
type Given = HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

type Refused = UseCaseError | HttpServerResponse.HttpServerResponse

const handle = (route: Route): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Given> =>
  Effect.withFiber((fiber) =>
    Effect.catch(respond(route, fiber), (error) =>
      HttpServerResponse.isHttpServerResponse(error) ? Effect.succeed(error) : errorResponse(error, route.isWrite)
    )
  )

type Responding = Effect.Effect<HttpServerResponse.HttpServerResponse, Refused, HttpServerRequest.HttpServerRequest>

const respond = (route: Route, fiber: Fiber.Fiber<unknown, unknown>): Responding => {
  // The fiber has what the type of `handle` asks for.
  const context = fiber.context as Context.Context<Given>
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
          // Who runs the request puts back the context that it had.
          fiber.setContext(as(client, context))
          return run(route, request, context, client)
        })
  return guards.length === 0
    ? enter()
    : guards.reduceRight((inner, guard) => Effect.andThen(guard(request), inner), Effect.suspend(enter))
}

/** What everything below knows of who asks. */
const as = ({ clientId, companyId }: Bearer, context: Context.Context<Given>): Context.Context<Given> =>
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
  context: Context.Context<Given>,
  client: Bearer | undefined
): Effect.Effect<HttpServerResponse.HttpServerResponse, Refused> =>
  Effect.flatMapEager(read(route, request, context, client), ({ asked, unknownKeys }) =>
    Effect.map(route.operation(asked), (view) => {
      const response = toResponse(view, route)
      if (unknownKeys.length === 0) return response
      noteUnknownKeys(context, unknownKeys)
      return unknownKeysHeader(response, unknownKeys)
    })
  )

/** What an operation is given of a request; at once, unless a body is still to be read or something has a fault. */
const read = Effect.fnUntracedEager(function* (
  route: Route,
  request: HttpServerRequest.HttpServerRequest,
  context: Context.Context<Given>,
  client: Bearer | undefined
): Effect.fn.Return<{ readonly asked: object; readonly unknownKeys: ReadonlyArray<string> }, Refused> {
  const { decoder, named } = route
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
  const entity = params && (yield* entityOf(params.value))
  // Without what is made: a repeat under the same key is the same request.
  const sent = { operation: route.name, params: params?.value, payload: payload?.value }
  const asked = {
    client,
    entity,
    params: params?.value,
    query: query?.value,
    payload: payload && (yield* named(payload.value)),
    underKey:
      key === undefined || client === undefined
        ? Idempotency.withoutKey
        : route.underKey(client.companyId, key, sent, route.render)
  }
  return { asked, unknownKeys: [...(query?.unknownKeys ?? []), ...(payload?.unknownKeys ?? [])] }
})

/** Whether the query of a URL is UTF-8 that is percent-encoded; its path is looked at by the router. */
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

/** The body, by what it is. */
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

/** The entity that a path names by one of its two identifiers. */
const entityOf = (params: unknown): Effect.Effect<EntityRef | undefined, BadRequest> =>
  typeof params === "object" && params !== null && "typeId" in params
    ? // A path with a typeId has the identifier beside it.
      Result.match(entityRef(params as Parameters<typeof entityRef>[0]), {
        onFailure: (details: ErrorDetails) => Effect.fail(new BadRequest({ message: "The path has a fault", details })),
        onSuccess: (ref: EntityRef): Effect.Effect<EntityRef | undefined, BadRequest> => Effect.succeed(ref)
      })
    : Effect.succeed(undefined)

const toResponse = (view: unknown, { cacheControl, render }: Route): HttpServerResponse.HttpServerResponse => {
  if (view instanceof Idempotency.Replayed) {
    const headers = { "idempotent-replayed": "true", ...cacheControl }
    return HttpServerResponse.text(view.text, { status: view.status, contentType: "application/json", headers })
  }
  const body = view instanceof Idempotency.Rendered ? view.body : render(view)
  const response = HttpServerResponse.uint8Array(body, { contentType: "application/json" })
  // Its headers were made just now, and nobody else has them.
  Object.assign(response.headers, cacheControl)
  return response
}
