/**
 * A company's webhook endpoints, their signing secrets and their deliveries, over HTTP.
 *
 * @since 0.1.0
 */
import type { RefusedBy } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EndpointSettings } from "@parcela/core/webhooks/WebhookEndpointState"
import type { TooManySecrets } from "@parcela/core/webhooks/SecretVersion"
import type { DefaultEndpoint, EndpointNotFound, TooManyEndpoints } from "@parcela/core/webhooks/WebhookEndpointDecider"
import { EndpointManagement, type EndpointSecret } from "@parcela/engine/webhooks/Endpoints"
import { WebhookEditing } from "@parcela/engine/webhooks/EndpointChanges"
import type { EndpointCounts, DeliveryRecord, DeliveryAttempt } from "@parcela/engine/ports/Outbox"
import type { WebhookEndpoint } from "@parcela/engine/ports/WebhookEndpoints"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { BadRequest, NotFound, type Unavailable } from "@parcela/transport/ApiError"
import type { EndpointsGroup, SecretsGroup } from "@parcela/transport/sandbox/EndpointControls"
import type { Operations } from "@parcela/http/Operation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SandboxCompanies, companyIdOf, present } from "../SandboxCompanies.ts"
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import type { WebhookReplay } from "@parcela/engine/ports/WebhookReplays"
import type { DeliveriesGroup } from "@parcela/transport/sandbox/DeliveryControls"
import * as Option from "effect/Option"
import type { Transactions } from "@parcela/engine/ports/Transactions"
import * as TransactionNames from "../TransactionNames.ts"

const stateOf = ({ failures, isOn }: WebhookEndpoint): "off" | "failing" | "on" =>
  !isOn ? "off" : failures > 0 ? "failing" : "on"

const shown = (endpoint: WebhookEndpoint) => ({
  endpointId: endpoint.id,
  isDefault: endpoint.isDefault,
  url: endpoint.url,
  events: endpoint.events,
  state: stateOf(endpoint),
  ...present("offReason", endpoint.offReason),
  ...present("offAt", endpoint.offAt),
  ...present("failingSince", endpoint.failingSince),
  ...present("nextTryAt", endpoint.nextAt)
})

const listed = ({ dead, lastProblem, waiting, ...endpoint }: WebhookEndpoint & EndpointCounts) => ({
  ...shown(endpoint),
  waiting,
  dead,
  ...present("lastProblem", lastProblem)
})

const shownSecret = ({ createdAt, notAfter, secret, version }: EndpointSecret) => ({
  version,
  createdAt,
  ...present("notAfter", notAfter),
  ...present("secret", secret)
})

const all = Effect.map((secrets: ReadonlyArray<EndpointSecret>) => ({ secrets: secrets.map(shownSecret) }))

type Refusal =
  | RefusedBy<"WebhookUrlNotAllowed">
  | DefaultEndpoint
  | EndpointNotFound
  | TooManyEndpoints
  | TooManySecrets

/** Maps each refusal to its status. Store failures keep their usual status. */
const failures = <A, E extends Refusal | StoreError, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.mapError((error) => {
      // The compiler does not resolve `Exclude` of a type parameter.
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

/**
 * @category operations
 * @since 0.1.0
 */
export const endpoints: Effect.Effect<
  Operations<typeof EndpointsGroup>,
  never,
  EndpointManagement | SandboxCompanies | WebhookEditing
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const management = yield* EndpointManagement
  const webhooks = yield* WebhookEditing
  const setDefault = Effect.fnUntraced(function* (companyId: CompanyId, settings: EndpointSettings) {
    yield* Effect.catchTag(webhooks.edit(companyId, settings), "KeyReused", Effect.die)
    const endpoints = yield* management.list(companyId)
    return endpoints.find((endpoint) => endpoint.isDefault) ?? (yield* Effect.die("The default endpoint is missing"))
  })
  const oneEndpoint = Effect.map((endpoint: WebhookEndpoint) => ({ endpoint: shown(endpoint) }))
  return {
    "endpoints.list": Effect.fnUntraced(function* (request) {
      const found = yield* failures(management.list(yield* companyIdOf(companies, request)))
      return { endpoints: found.map(listed) }
    }),
    "endpoints.create": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { isDefault, ...settings } = request.payload
      const made = yield* failures(
        isDefault === true ? setDefault(companyId, settings) : management.create(companyId, settings)
      )
      return { endpoint: shown(made), ...(yield* all(failures(management.secrets(companyId, made.id)))) }
    }),
    "endpoints.edit": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return yield* oneEndpoint(failures(management.edit(companyId, request.params.endpointId, request.payload)))
    }),
    "endpoints.remove": Effect.fnUntraced(function* (request) {
      yield* failures(management.remove(yield* companyIdOf(companies, request), request.params.endpointId))
      return { deleted: true as const }
    }),
    "endpoints.switchOn": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return yield* oneEndpoint(failures(management.switchOn(companyId, request.params.endpointId)))
    }),
    "endpoints.switchOff": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return yield* oneEndpoint(failures(management.switchOff(companyId, request.params.endpointId)))
    })
  }
})

/**
 * @category operations
 * @since 0.1.0
 */
export const secrets: Effect.Effect<
  Operations<typeof SecretsGroup>,
  never,
  EndpointManagement | SandboxCompanies
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const management = yield* EndpointManagement
  return {
    "secrets.list": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return yield* all(failures(management.secrets(companyId, request.params.endpointId)))
    }),
    "secrets.rotate": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { overlapSeconds } = request.payload
      const overlap = overlapSeconds === undefined ? undefined : Duration.seconds(overlapSeconds)
      return yield* all(failures(management.rotate(companyId, request.params.endpointId, overlap)))
    }),
    "secrets.endOverlap": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return yield* all(failures(management.endOverlap(companyId, request.params.endpointId)))
    })
  }
})

/** Maximum number of listed attempts of a delivery: the latest ones explain why the delivery failed. */
const maxAttempts = 100

const shownDelivery = ({ attempts, problem, ...delivery }: DeliveryRecord) => ({
  ...delivery,
  attempts: attempts,
  ...present("problem", problem)
})

const shownAttempt = ({ duration, problem, startedAt, status }: DeliveryAttempt) => ({
  startedAt,
  duration,
  ...present("status", status),
  ...present("problem", problem)
})

const shownReplay = ({ createdAt, filter, id, isDone, replayed }: WebhookReplay) => ({
  replayId: id,
  of: filter.state,
  state: isDone ? ("done" as const) : ("running" as const),
  replayed,
  createdAt
})

/**
 * @category operations
 * @since 0.1.0
 */
export const deliveries: Effect.Effect<
  Operations<typeof DeliveriesGroup>,
  never,
  Deliveries | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const deliveries = yield* Deliveries
  const withNames = yield* TransactionNames.makeNames
  return {
    "deliveries.list": Effect.fnUntraced(function* (request) {
      const { after, before, limit, ...filter } = request.query
      const companyId = yield* companyIdOf(companies, request)
      const found = yield* after === undefined
        ? deliveries.list(companyId, filter, before, limit)
        : deliveries.follow(companyId, filter, after, limit)
      return { deliveries: yield* withNames([companyId], found.map(shownDelivery)) }
    }),
    "deliveries.attempts": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { webhookId } = request.params
      const attempts = yield* deliveries.attempts(companyId, webhookId)
      return Option.isSome(attempts)
        ? { attempts: attempts.value.slice(-maxAttempts).map(shownAttempt) }
        : yield* new NotFound({ message: `There is no delivery ${webhookId}` })
    }),
    "deliveries.replay": Effect.fnUntraced(function* (request) {
      const { webhookId } = request.params
      const companyId = yield* companyIdOf(companies, request)
      if (yield* deliveries.replay(companyId, webhookId)) return { replayed: true as const }
      const needs = "it has to be there and over, and its endpoint on and subscribed to its event"
      return yield* new BadRequest({ message: `Delivery ${webhookId} cannot be replayed: ${needs}` })
    }),
    "deliveries.replayAll": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return { replay: shownReplay(yield* deliveries.replayAll(companyId, request.payload)) }
    }),
    "deliveries.findReplay": Effect.fnUntraced(function* (request) {
      const { replayId } = request.params
      const companyId = yield* companyIdOf(companies, request)
      const found = yield* deliveries.findReplay(companyId, replayId)
      return Option.isSome(found)
        ? { replay: shownReplay(found.value) }
        : yield* new NotFound({ message: `The company has no replay ${replayId}` })
    })
  }
})
