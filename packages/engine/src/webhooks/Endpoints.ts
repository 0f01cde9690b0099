/**
 * Use cases: list and change the webhook endpoints of a company and their secrets, for the operator of the service.
 *
 * Each endpoint has its own delivery queue. `PUT /webhooks` (`WebhookEditing`) edits the default endpoint.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import * as SecretVersion from "@parcela/core/webhooks/SecretVersion"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { RefusedBy } from "@parcela/core/errors/BillingError"
import { canonicalUrl } from "@parcela/core/webhooks/EditWebhooks"
import type { EndpointSettings, WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, neverMissing, withoutKey } from "../command/Command.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { type EndpointCounts, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { changeEndpoint, checkUrl, decided } from "./EndpointChanges.ts"
import * as Spans from "../Spans.ts"

/**
 * Default time for which earlier secrets stay valid after a rotation.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultOverlap: Duration.Duration = Duration.hours(24)

/**
 * Maximum overlap of a rotation.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxOverlap: Duration.Duration = Duration.days(30)

/**
 * A secret of an endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointSecret {
  readonly version: number
  readonly createdAt: MachineTime
  /** The secret signs no deliveries from this time on. */
  readonly notAfter: MachineTime | undefined
  /** Undefined after the secret has expired. */
  readonly secret: Redacted.Redacted | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class EndpointManagement extends Context.Service<
  EndpointManagement,
  {
    /** Returns the endpoints of a company ordered by id, with their numbers of pending and abandoned deliveries. */
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<WebhookEndpoint & EndpointCounts>, StoreError>
    /** Creates an endpoint with its own secret. It receives only later events. */
    readonly create: (
      companyId: CompanyId,
      settings: EndpointSettings
    ) => Effect.Effect<WebhookEndpoint, RefusedBy<"WebhookUrlNotAllowed"> | StoreError | Endpoint.TooManyEndpoints>
    /** Returns the endpoint with this URL and any events, or creates one. */
    readonly ensure: (
      companyId: CompanyId,
      settings: EndpointSettings
    ) => Effect.Effect<
      { readonly endpoint: WebhookEndpoint; readonly isNew: boolean },
      RefusedBy<"WebhookUrlNotAllowed"> | StoreError | Endpoint.TooManyEndpoints
    >
    /**
     * Changes the URL and the events. Pending deliveries are sent to the new URL. Pending deliveries of unsubscribed
     * events are abandoned. The endpoint stays enabled or disabled.
     */
    readonly edit: (
      companyId: CompanyId,
      endpointId: number,
      settings: Partial<EndpointSettings>
    ) => Effect.Effect<WebhookEndpoint, RefusedBy<"WebhookUrlNotAllowed"> | Endpoint.EndpointNotFound | StoreError>
    /** Disables an endpoint. Its deliveries, including those of later events, remain queued. */
    readonly switchOff: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<WebhookEndpoint, Endpoint.EndpointNotFound | StoreError>
    /**
     * Enables an endpoint and resets its failure history. Pending deliveries are sent at once, in order for each
     * transaction.
     */
    readonly switchOn: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<WebhookEndpoint, Endpoint.EndpointNotFound | StoreError>
    /**
     * Deletes an endpoint permanently. Its pending deliveries are abandoned and cannot be replayed. It remains in
     * `list`.
     */
    readonly remove: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<void, Endpoint.DefaultEndpoint | Endpoint.EndpointNotFound | StoreError>
    /** Returns the secrets of an endpoint, newest first, including recently expired ones. */
    readonly secrets: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<ReadonlyArray<EndpointSecret>, Endpoint.EndpointNotFound | StoreError>
    /**
     * Creates a new secret. During the overlap (default 24 hours, maximum 30 days) earlier valid secrets sign
     * deliveries too. An overlap of zero expires them at once. Returns the same list as `secrets`.
     */
    readonly rotate: (
      companyId: CompanyId,
      endpointId: number,
      overlap?: Duration.Duration
    ) => Effect.Effect<
      ReadonlyArray<EndpointSecret>,
      Endpoint.EndpointNotFound | SecretVersion.TooManySecrets | StoreError
    >
    /** Expires all secrets except the newest at once. */
    readonly endOverlap: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<ReadonlyArray<EndpointSecret>, Endpoint.EndpointNotFound | StoreError>
    /**
     * Returns the newest secret of the default endpoint. For a company without endpoints, returns the secret that its
     * first endpoint will have.
     */
    readonly currentSecret: (companyId: CompanyId) => Effect.Effect<WebhookSecret.WebhookSecret, StoreError>
  }
>()("@parcela/engine/webhooks/EndpointManagement") {
  static readonly layer: Layer.Layer<EndpointManagement, never, Commands | Outbox | Secrets | WebhookEndpoints> =
    Layer.effect(
      EndpointManagement,
      Effect.gen(function* () {
        const parts: Parts = {
          commands: yield* Commands,
          endpoints: yield* WebhookEndpoints,
          outbox: yield* Outbox,
          secrets: yield* Secrets
        }
        return EndpointManagement.of({
          ...creations(parts),
          ...changes(parts),
          ...secretChanges(parts),
          ...queries(parts)
        })
      })
    )
}

/** The services that the operations use. */
interface Parts {
  readonly commands: Commands["Service"]
  readonly endpoints: WebhookEndpoints["Service"]
  readonly outbox: Outbox["Service"]
  readonly secrets: Secrets["Service"]
}

type Decision<E = never> = Parameters<typeof changeEndpoint<E>>[2]

/** Creates an endpoint, or returns the existing one for which `isSame` is true. */
const creating = ({ commands, secrets }: Parts) =>
  Effect.fnUntraced(function* (
    companyId: CompanyId,
    settings: EndpointSettings,
    isSame: (state: WebhookEndpointState) => boolean
  ) {
    yield* checkUrl(settings.url)
    const salt = yield* secrets.newSalt
    const endpoint = yield* withoutKey(
      commands.run({
        load: "endpoints",
        args: { companyId },
        decide: (found, { machine: now }) => {
          const known = found.known.map(({ state }) => state)
          const same = known.find((state) => state.deletedAt === undefined && isSame(state))
          const made =
            same === undefined
              ? Endpoint.create(known, settings, { id: found.nextId, companyId, salt, now })
              : Result.succeed({ next: same, events: [] })
          return Result.map(made, (decision) => decided(found, decision, false))
        },
        missing: neverMissing
      })
    )
    return { endpoint, isNew: endpoint.secrets.some((one) => one.salt === salt) }
  })

const creations = (parts: Parts) => {
  const create = creating(parts)
  return {
    create: Spans.fn("EndpointManagement.create")((companyId: CompanyId, settings: EndpointSettings) =>
      Effect.map(
        create(companyId, settings, () => false),
        ({ endpoint }) => endpoint
      )
    ),
    ensure: Spans.fn("EndpointManagement.ensure")((companyId: CompanyId, settings: EndpointSettings) =>
      create(companyId, settings, ({ url }) => url === canonicalUrl(settings.url))
    )
  }
}

const changes = ({ commands }: Parts) => ({
  edit: Spans.fn("EndpointManagement.edit")((companyId: CompanyId, id: number, settings: Partial<EndpointSettings>) => {
    const edit: Decision = (before, now) => Result.succeed(Endpoint.edit(before, settings, now))
    return Effect.andThen(checkUrl(settings.url), changeEndpoint(commands, { companyId, id }, edit, { recovers: true }))
  }),
  switchOff: Spans.fn("EndpointManagement.switchOff")((companyId: CompanyId, id: number) => {
    const off: Decision = (before, now) =>
      Result.succeed(Endpoint.switchOff(before, "It was switched off by hand", now))
    return changeEndpoint(commands, { companyId, id }, off)
  }),
  switchOn: Spans.fn("EndpointManagement.switchOn")((companyId: CompanyId, id: number) => {
    const on: Decision = (before, now) => Result.succeed(Endpoint.switchOn(before, now))
    return changeEndpoint(commands, { companyId, id }, on, { recovers: true })
  }),
  remove: Spans.fn("EndpointManagement.remove")((companyId: CompanyId, id: number) =>
    Effect.asVoid(changeEndpoint(commands, { companyId, id }, Endpoint.remove, { removes: true }))
  )
})

const queries = ({ endpoints, outbox, secrets }: Parts) => ({
  list: Spans.fn("EndpointManagement.list")(function* (companyId: CompanyId) {
    return yield* Effect.forEach(yield* endpoints.ofCompany(companyId), (endpoint) =>
      Effect.map(outbox.count(endpoint.id), (counts) => ({ ...endpoint, ...counts }))
    )
  }),
  secrets: Spans.fn("EndpointManagement.secrets")(function* (companyId: CompanyId, endpointId: number) {
    const found = Option.getOrUndefined(yield* endpoints.find(endpointId))
    return found?.companyId === companyId
      ? yield* secretsOf(secrets, found)
      : yield* new Endpoint.EndpointNotFound({ endpointId })
  }),
  currentSecret: Spans.fn("EndpointManagement.currentSecret")(function* (companyId: CompanyId) {
    const own = (yield* endpoints.ofCompany(companyId)).find(({ isDefault }) => isDefault)
    return yield* secrets.signingSecret(companyId, own?.secrets[0].salt)
  })
})

const secretChanges = ({ commands, secrets }: Parts) => ({
  rotate: Spans.fn("EndpointManagement.rotate")(function* (
    companyId: CompanyId,
    id: number,
    overlap: Duration.Duration = defaultOverlap
  ) {
    const salt = yield* secrets.newSalt
    const millis = Duration.toMillis(Duration.clamp(overlap, { minimum: Duration.zero, maximum: maxOverlap }))
    const rotate: Decision<SecretVersion.TooManySecrets> = (before, now) =>
      Endpoint.rotate(before, { now, overlap: millis, salt })
    return yield* secretsOf(secrets, yield* changeEndpoint(commands, { companyId, id }, rotate))
  }),
  endOverlap: Spans.fn("EndpointManagement.endOverlap")(function* (companyId: CompanyId, id: number) {
    const end: Decision = (before, now) => Result.succeed(Endpoint.endOverlap(before, now))
    return yield* secretsOf(secrets, yield* changeEndpoint(commands, { companyId, id }, end))
  })
})

const secretsOf = Effect.fnUntraced(function* (
  secrets: Secrets["Service"],
  { companyId, secrets: versions }: WebhookEndpointState
) {
  const valid: ReadonlyArray<SecretVersion.SecretVersion> = SecretVersion.validAt(versions, yield* machineNow)
  return yield* Effect.forEach(versions, ({ createdAt, notAfter, salt, version }) => {
    const isValid = valid.some((one) => one.version === version)
    const secret = isValid
      ? Effect.map(secrets.signingSecret(companyId, salt), WebhookSecret.format)
      : Effect.succeed(undefined)
    return Effect.map(secret, (secret): EndpointSecret => ({ version, createdAt, notAfter, secret }))
  })
})
