/**
 * Use case: the webhook endpoints of a company, as whoever operates the service sees and changes them. A company may have
 * several, each a lane of its own; `PUT /webhooks` (`WebhookEditing`) edits the default one.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as SecretVersion from "@parcela/core/webhooks/SecretVersion"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { entriesOf } from "../commands/JournalEntries.ts"
import { machineNow } from "../commands/Times.ts"
import { DeliverySignal } from "../workers/DeliverySignal.ts"
import { Journal } from "../ports/Journal.ts"
import { Origin } from "../commands/Origin.ts"
import { type EndpointCounts, Outbox } from "../ports/Outbox.ts"
import { DueWork } from "../ports/DueWork.ts"
import { type EndpointSettings, type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { Secrets } from "../authentication/Secrets.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { subjectOf } from "../workers/Continued.ts"
import { giveUpWork } from "../workers/UnwantedDeliveries.ts"

/** An event is a delivery to each endpoint that wants it, written in the commit of the change. */
const mostEndpoints = 20

/**
 * How long earlier secrets stay valid after a rotation, unless it says otherwise.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultOverlap: Duration.Duration = Duration.hours(24)

/**
 * The longest overlap that may be asked for.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestOverlap: Duration.Duration = Duration.days(30)

/**
 * The company has no endpoint of that number.
 *
 * @category errors
 * @since 0.1.0
 */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {
  endpointId: Schema.Int
}) {
  override get message() {
    return `The company has no webhook endpoint ${this.endpointId}`
  }
}

/**
 * The endpoint that `PUT /webhooks` edits cannot be deleted: the next edit would bring it back.
 *
 * @category errors
 * @since 0.1.0
 */
export class DefaultEndpoint extends Schema.TaggedError<DefaultEndpoint>()("DefaultEndpoint", {}) {
  override get message() {
    return "The endpoint that PUT /webhooks edits cannot be deleted: switch it off, or edit it with no events"
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class TooManyEndpoints extends Schema.TaggedError<TooManyEndpoints>()("TooManyEndpoints", {}) {
  override get message() {
    return `A company has at most ${mostEndpoints} webhook endpoints: delete one, or edit it`
  }
}

/**
 * A secret of an endpoint, with what it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointSecret {
  readonly version: number
  readonly createdAt: EpochMillis
  /** From this instant on nothing is signed with it. */
  readonly notAfter: EpochMillis | undefined
  /** Absent when it is not valid any more. */
  readonly secret: Redacted.Redacted | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class EndpointManagement extends Context.Service<
  EndpointManagement,
  {
    /** A company's endpoints with how much waits and how much was given up, by number. */
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<WebhookEndpoint & EndpointCounts>, StoreError>
    /** Adds an endpoint with a secret of its own. It gets the events that happen from now on. */
    readonly create: (
      companyId: CompanyId,
      settings: EndpointSettings
    ) => Effect.Effect<WebhookEndpoint, StoreError | TooManyEndpoints>
    /**
     * Changes address and events. What waits goes to the new address, unless its event was switched off: then it is given
     * up. On or off stays as it is.
     */
    readonly edit: (
      companyId: CompanyId,
      endpointId: number,
      settings: Partial<EndpointSettings>
    ) => Effect.Effect<WebhookEndpoint, EndpointNotFound | StoreError>
    /** Stops sending. Events that happen meanwhile wait with those that wait already. */
    readonly switchOff: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<WebhookEndpoint, EndpointNotFound | StoreError>
    /** Sends again, at once, what waits: oldest first for each transaction. Ends a time of failures. */
    readonly switchOn: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<WebhookEndpoint, EndpointNotFound | StoreError>
    /** Takes an endpoint out for good. What waited is given up and cannot be replayed; it stays in the list. */
    readonly remove: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<void, DefaultEndpoint | EndpointNotFound | StoreError>
    /** The secrets of an endpoint, newest first, with those that ended lately. */
    readonly secrets: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<ReadonlyArray<EndpointSecret>, EndpointNotFound | StoreError>
    /**
     * Makes a new secret. Deliveries are signed with it and, for the overlap (default 24 h, at most 30 days), with the
     * earlier ones that are valid; an overlap of zero ends those at once. Returns the secrets as `secrets` does.
     */
    readonly rotate: (
      companyId: CompanyId,
      endpointId: number,
      overlap?: Duration.Duration
    ) => Effect.Effect<ReadonlyArray<EndpointSecret>, EndpointNotFound | SecretVersion.TooManySecrets | StoreError>
    /** Ends the overlap at once: from now on deliveries are signed with the newest secret alone. */
    readonly endOverlap: (
      companyId: CompanyId,
      endpointId: number
    ) => Effect.Effect<ReadonlyArray<EndpointSecret>, EndpointNotFound | StoreError>
    /**
     * The secret that deliveries to the default endpoint are signed with now, the newest. While a company has no
     * endpoint it is that of the first one it will have.
     */
    readonly currentSecret: (companyId: CompanyId) => Effect.Effect<WebhookSecret.WebhookSecret, StoreError>
  }
>()("@parcela/engine/usecases/EndpointManagement") {
  static readonly layer: Layer.Layer<
    EndpointManagement,
    never,
    DeliverySignal | DueWork | Journal | Outbox | Secrets | UnitOfWork | WebhookEndpoints
  > = Layer.effect(
    EndpointManagement,
    Effect.gen(function* () {
      const context: Parts = {
        dueWork: yield* DueWork,
        endpoints: yield* WebhookEndpoints,
        journal: yield* Journal,
        outbox: yield* Outbox,
        secrets: yield* Secrets,
        signal: yield* DeliverySignal,
        unitOfWork: yield* UnitOfWork
      }
      return EndpointManagement.of({ ...changes(context), ...secretChanges(context) })
    })
  )
}

/** What the operations work with. */
interface Parts {
  readonly dueWork: DueWork["Service"]
  readonly endpoints: WebhookEndpoints["Service"]
  readonly journal: Journal["Service"]
  readonly outbox: Outbox["Service"]
  readonly secrets: Secrets["Service"]
  readonly signal: DeliverySignal["Service"]
  readonly unitOfWork: UnitOfWork["Service"]
}

const owned = Effect.fnUntraced(function* ({ endpoints }: Parts, companyId: CompanyId, endpointId: number) {
  const found = yield* endpoints.find(endpointId)
  return Option.isSome(found) && found.value.companyId === companyId
    ? found.value
    : yield* new EndpointNotFound({ endpointId })
})

/** Appends what happened to the journal. */
const noted = Effect.fnUntraced(function* (
  { journal }: Parts,
  companyId: CompanyId,
  events: ReadonlyArray<BillingEvent>,
  at: EpochMillis
) {
  yield* journal.append(entriesOf({ changes: [], events }, { companyId, at, origin: yield* Origin }))
})

/**
 * One change of an endpoint as one unit: read, written, noted in the journal, and shown as it is then. `write` returns what
 * to note; nothing when all is as it was.
 */
const changing = <E>(
  parts: Parts,
  name: string,
  write: (endpoint: WebhookEndpoint, now: MachineTime) => Effect.Effect<ReadonlyArray<BillingEvent>, E>
) =>
  Effect.fn(name)(function* (companyId: CompanyId, endpointId: number) {
    const { signal, unitOfWork } = parts
    return yield* unitOfWork.transact(
      Effect.gen(function* () {
        const now = yield* machineNow
        const before = yield* owned(parts, companyId, endpointId)
        const events = yield* write(before, now)
        if (events.length === 0) return before
        yield* noted(parts, companyId, events, now)
        yield* unitOfWork.afterCommit(signal.notify)
        return yield* owned(parts, companyId, endpointId)
      })
    )
  })

const changes = (parts: Parts) => {
  const { dueWork, endpoints, outbox, secrets, unitOfWork } = parts

  const create = Effect.fn("EndpointManagement.create")(function* (
    companyId: CompanyId,
    { events, url }: EndpointSettings
  ) {
    const salt = yield* secrets.newSalt
    const settings = { url, events: [...new Set(events)] }
    return yield* unitOfWork.transact(
      Effect.gen(function* () {
        const now = yield* machineNow
        if ((yield* endpoints.ofCompany(companyId)).length >= mostEndpoints) return yield* new TooManyEndpoints()
        const made = yield* endpoints.insert(companyId, { ...settings, secrets: SecretVersion.first(salt, now) }, now)
        const event = { _tag: "WebhookEndpointCreated", endpointId: made.id, ...settings } as const
        yield* noted(parts, companyId, [event], now)
        return made
      })
    )
  })

  const list = Effect.fn("EndpointManagement.list")(function* (companyId: CompanyId) {
    return yield* Effect.forEach(yield* endpoints.ofCompany(companyId), (endpoint) =>
      Effect.map(outbox.count(endpoint.id), (counts) => ({ ...endpoint, ...counts }))
    )
  })

  const edit = (companyId: CompanyId, endpointId: number, { events, url }: Partial<EndpointSettings>) =>
    changing(parts, "EndpointManagement.edit", (before, now) =>
      Effect.gen(function* () {
        const settings = { url: url ?? before.url, events: [...new Set(events ?? before.events)] }
        yield* endpoints.edit(endpointId, settings, now)
        yield* dueWork.schedule([giveUpWork(companyId, subjectOf({ id: endpointId }), now)])
        return [{ _tag: "WebhookEndpointEdited", endpointId, ...settings } as const]
      })
    )(companyId, endpointId)

  const remove = Effect.fn("EndpointManagement.remove")(function* (companyId: CompanyId, endpointId: number) {
    yield* unitOfWork.transact(
      Effect.gen(function* () {
        const now = yield* machineNow
        const { isDefault } = yield* owned(parts, companyId, endpointId)
        if (isDefault) return yield* new DefaultEndpoint()
        yield* endpoints.remove(endpointId, now)
        yield* dueWork.schedule([giveUpWork(companyId, subjectOf({ id: endpointId }), now)])
        yield* noted(parts, companyId, [{ _tag: "WebhookEndpointDeleted", endpointId }], now)
      })
    )
  })

  return { create, edit, list, remove, ...switches(parts) }
}

const switches = (parts: Parts) => {
  const { endpoints } = parts
  const reason = "It was switched off by hand"
  return {
    switchOff: changing(parts, "EndpointManagement.switchOff", ({ id: endpointId }, now) =>
      Effect.map(endpoints.switchOff(endpointId, reason, now), (isChanged) =>
        isChanged ? [{ _tag: "WebhookEndpointSwitchedOff", endpointId, reason } as const] : []
      )
    ),
    switchOn: changing(parts, "EndpointManagement.switchOn", ({ id: endpointId }, now) =>
      Effect.map(endpoints.switchOn(endpointId, now), (isChanged) =>
        isChanged ? [{ _tag: "WebhookEndpointSwitchedOn", endpointId } as const] : []
      )
    )
  }
}

const secretChanges = (parts: Parts) => {
  const { endpoints, secrets } = parts

  const shown = Effect.fnUntraced(function* ({ companyId, secrets: versions }: WebhookEndpoint) {
    const valid: ReadonlyArray<SecretVersion.SecretVersion> = SecretVersion.validAt(versions, yield* machineNow)
    return yield* Effect.forEach(versions, ({ createdAt, notAfter, salt, version }) => {
      const isValid = valid.some((one) => one.version === version)
      const secret = isValid
        ? Effect.map(secrets.signingSecret(companyId, salt), WebhookSecret.format)
        : Effect.succeed(undefined)
      return Effect.map(secret, (secret): EndpointSecret => ({ version, createdAt, notAfter, secret }))
    })
  })

  const rotate = Effect.fnUntraced(function* (
    companyId: CompanyId,
    endpointId: number,
    overlap: Duration.Duration = defaultOverlap
  ) {
    const salt = yield* secrets.newSalt
    const millis = Duration.toMillis(Duration.clamp(overlap, { minimum: Duration.zero, maximum: longestOverlap }))
    const write = (before: WebhookEndpoint, now: MachineTime) =>
      Effect.gen(function* () {
        const next = yield* Effect.fromResult(SecretVersion.rotate(before.secrets, { now, overlap: millis, salt }))
        yield* endpoints.replaceSecrets(before, next, now)
        const earlierUntil = EpochMillis.make(now + millis)
        const { version } = next[0]
        return [{ _tag: "WebhookSecretRotated", endpointId, version, earlierUntil } as const]
      })
    return yield* shown(yield* changing(parts, "EndpointManagement.rotate", write)(companyId, endpointId))
  })

  const end = changing(parts, "EndpointManagement.endOverlap", (before, now) =>
    Effect.gen(function* () {
      if (SecretVersion.validAt(before.secrets, now).length === 1) return []
      yield* endpoints.replaceSecrets(before, SecretVersion.endOverlap(before.secrets, now), now)
      return [{ _tag: "WebhookSecretsEnded", endpointId: before.id, version: before.secrets[0].version } as const]
    })
  )

  return {
    rotate,
    endOverlap: (companyId: CompanyId, endpointId: number) => Effect.flatMap(end(companyId, endpointId), shown),
    secrets: Effect.fn("EndpointManagement.secrets")(function* (companyId: CompanyId, endpointId: number) {
      return yield* shown(yield* owned(parts, companyId, endpointId))
    }),
    currentSecret: Effect.fn("EndpointManagement.currentSecret")(function* (companyId: CompanyId) {
      const own = (yield* endpoints.ofCompany(companyId)).find(({ isDefault }) => isDefault)
      return yield* secrets.signingSecret(companyId, own?.secrets[0].salt)
    })
  }
}
