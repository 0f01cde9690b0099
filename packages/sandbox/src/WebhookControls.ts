/**
 * The controls of webhook endpoints and deliveries, under `/sandbox`, for programs on this machine alone.
 *
 * @since 0.1.0
 */
import { Deliveries } from "@parcela/engine/usecases/Deliveries"
import {
  type DefaultEndpoint,
  EndpointManagement,
  type EndpointNotFound,
  type EndpointSecret,
  type TooManyEndpoints
} from "@parcela/engine/usecases/EndpointManagement"
import type { DeliveryRecord, DeliveryTry, EndpointCounts } from "@parcela/engine/ports/Outbox"
import type { WebhookEndpoint } from "@parcela/engine/ports/WebhookEndpoints"
import type { WebhookReplay } from "@parcela/engine/ports/WebhookReplays"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import type { TooManySecrets } from "@parcela/core/webhooks/SecretVersion"
import * as FaultsLayer from "@parcela/http/FaultsLayer"
import { storeFailures } from "@parcela/http/Refusals"
import { BadRequest, NotFound, type Unavailable } from "@parcela/transport/ApiError"
import { LocalCaller, WebhookControls } from "@parcela/transport/WebhookControls"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isFromThisMachine } from "@parcela/service/LocalOnly"
import { notAllowed, notFromHere } from "./LocalRoutes.ts"
import { SandboxCompanies } from "./SandboxCompanies.ts"

const layerLocalCaller = Layer.succeed(
  LocalCaller,
  Effect.fnUntraced(function* (httpEffect) {
    const request = yield* HttpServerRequest.HttpServerRequest
    return yield* isFromThisMachine(request) ? httpEffect : notFromHere
  })
)

const present = <K extends string, A>(key: K, value: A | undefined): { readonly [P in K]?: A } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: A }

const endpointOf = (endpoint: WebhookEndpoint) => ({
  endpointId: endpoint.id,
  isDefault: endpoint.isDefault,
  url: endpoint.url,
  events: endpoint.events,
  state: !endpoint.isOn ? ("off" as const) : endpoint.failures > 0 ? ("failing" as const) : ("on" as const),
  ...present("offReason", endpoint.offReason),
  ...present("offAt", endpoint.offAt),
  ...present("failingSince", endpoint.failingSince),
  ...present("nextTryAt", endpoint.nextAt)
})

const listedOf = ({ dead, lastProblem, waiting, ...endpoint }: WebhookEndpoint & EndpointCounts) => ({
  ...endpointOf(endpoint),
  waiting,
  dead,
  ...present("lastProblem", lastProblem)
})

const secretOf = ({ createdAt, notAfter, secret, version }: EndpointSecret) => ({
  version,
  createdAt,
  ...present("notAfter", notAfter),
  ...present("secret", secret)
})

const deliveryOf = ({ endpointId, problem, ...delivery }: DeliveryRecord) => ({
  ...delivery,
  ...present("endpointId", endpointId),
  ...present("problem", problem)
})

const tryOf = ({ duration, problem, startedAt, status }: DeliveryTry) => ({
  startedAt,
  duration,
  ...present("status", status),
  ...present("problem", problem)
})

const replayOf = ({ createdAt, id, isDone, replayed }: WebhookReplay) => ({
  replayId: id,
  state: isDone ? ("done" as const) : ("running" as const),
  replayed,
  createdAt
})

type Refusal = DefaultEndpoint | EndpointNotFound | TooManyEndpoints | TooManySecrets

/** Each refusal with its status; what fails in the store, as everywhere. */
const told = <A, E extends Refusal | StoreError, R>(effect: Effect.Effect<A, E, R>) =>
  storeFailures(effect).pipe(
    Effect.mapError((error) => {
      const failure = error as Refusal | Unavailable
      switch (failure._tag) {
        case "Unavailable":
          return failure
        case "EndpointNotFound":
          return new NotFound({ message: failure.message })
        default:
          return new BadRequest({ message: failure.message })
      }
    })
  )

const companyOf = Effect.fnUntraced(function* (companies: SandboxCompanies["Service"], clientId: string) {
  const found = yield* storeFailures(companies.find(clientId))
  return Option.isSome(found)
    ? found.value.companyId
    : yield* new NotFound({ message: "No company has that client id" })
})

const endpoints = HttpApiBuilder.group(
  WebhookControls,
  "endpoints",
  Effect.fn(function* (handlers) {
    const companies = yield* SandboxCompanies
    const management = yield* EndpointManagement
    const company = ({ params }: { readonly params: { readonly clientId: string } }) =>
      companyOf(companies, params.clientId)
    const shown = Effect.map((endpoint: WebhookEndpoint) => ({ endpoint: endpointOf(endpoint) }))
    const shownSecrets = Effect.map((secrets: ReadonlyArray<EndpointSecret>) => ({ secrets: secrets.map(secretOf) }))
    return handlers.handleAll({
      list: Effect.fnUntraced(function* (request) {
        const listed = yield* told(management.list(yield* company(request)))
        return { endpoints: listed.map(listedOf) }
      }),
      create: Effect.fnUntraced(function* (request) {
        const companyId = yield* company(request)
        const made = yield* told(management.create(companyId, request.payload))
        return { endpoint: endpointOf(made), ...(yield* shownSecrets(told(management.secrets(companyId, made.id)))) }
      }),
      edit: Effect.fnUntraced(function* (request) {
        const { params, payload } = request
        return yield* shown(told(management.edit(yield* company(request), params.endpointId, payload)))
      }),
      remove: Effect.fnUntraced(function* (request) {
        yield* told(management.remove(yield* company(request), request.params.endpointId))
        return { deleted: true as const }
      }),
      switchOn: Effect.fnUntraced(function* (request) {
        return yield* shown(told(management.switchOn(yield* company(request), request.params.endpointId)))
      }),
      switchOff: Effect.fnUntraced(function* (request) {
        return yield* shown(told(management.switchOff(yield* company(request), request.params.endpointId)))
      }),
      secrets: Effect.fnUntraced(function* (request) {
        return yield* shownSecrets(told(management.secrets(yield* company(request), request.params.endpointId)))
      }),
      rotate: Effect.fnUntraced(function* (request) {
        const { params, payload } = request
        const overlap = payload.overlapSeconds === undefined ? undefined : Duration.seconds(payload.overlapSeconds)
        return yield* shownSecrets(told(management.rotate(yield* company(request), params.endpointId, overlap)))
      }),
      endOverlap: Effect.fnUntraced(function* (request) {
        return yield* shownSecrets(told(management.endOverlap(yield* company(request), request.params.endpointId)))
      })
    })
  })
)

/** Of a delivery that was replayed often, the last tries say why it failed. */
const mostTries = 100

const deliveries = HttpApiBuilder.group(
  WebhookControls,
  "deliveries",
  Effect.fn(function* (handlers) {
    const companies = yield* SandboxCompanies
    const delivered = yield* Deliveries
    const company = ({ params }: { readonly params: { readonly clientId: string } }) =>
      companyOf(companies, params.clientId)
    return handlers.handleAll({
      list: Effect.fnUntraced(function* (request) {
        const { before, ...filter } = request.query
        const found = yield* storeFailures(delivered.list(yield* company(request), filter, before))
        return { deliveries: found.map(deliveryOf) }
      }),
      tries: Effect.fnUntraced(function* (request) {
        const tries = yield* storeFailures(delivered.tries(yield* company(request), request.params.webhookId))
        return { tries: tries.slice(-mostTries).map(tryOf) }
      }),
      replay: Effect.fnUntraced(function* (request) {
        const { webhookId } = request.params
        if (yield* storeFailures(delivered.replay(yield* company(request), webhookId))) {
          return { replayed: true as const }
        }
        const needs = "it has to be there and over, and its endpoint on and wanting its event"
        return yield* new BadRequest({ message: `Delivery ${webhookId} cannot be replayed: ${needs}` })
      }),
      replayAll: Effect.fnUntraced(function* (request) {
        const replay = yield* storeFailures(delivered.replayAll(yield* company(request), request.payload))
        return { replay: replayOf(replay) }
      }),
      findReplay: Effect.fnUntraced(function* (request) {
        const { replayId } = request.params
        const found = yield* storeFailures(delivered.findReplay(yield* company(request), replayId))
        return Option.isSome(found)
          ? { replay: replayOf(found.value) }
          : yield* new NotFound({ message: `The company has no replay ${replayId}` })
      })
    })
  })
)

/** Every method that an address of the contract does not take gets a 405. */
const otherMethods = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const taken = new Map<HttpRouter.PathInput, Array<string>>()
    HttpApi.reflect(WebhookControls, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        const at = path as HttpRouter.PathInput
        taken.set(at, [...(taken.get(at) ?? []), method])
      }
    })
    for (const [path, allowed] of taken) {
      for (const method of methods.filter((one) => !allowed.includes(one))) {
        yield* router.add(method, path, notAllowed(allowed.join(", ")))
      }
    }
  })
)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * The contract `WebhookControls`, strict and for this machine alone.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.layer(WebhookControls).pipe(
  Layer.provide([endpoints, deliveries]),
  Layer.provide([FaultsLayer.layer, layerLocalCaller]),
  Layer.provide(SandboxCompanies.layer),
  Layer.merge(otherMethods)
)
