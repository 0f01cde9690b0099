/**
 * What may be done with webhook endpoints, and what follows from it.
 *
 * **Details**
 *
 * A decision that finds what it wants as it is changes nothing and makes nothing known, so one that is run again after
 * its commit was lost says nothing twice.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { Decision } from "../values/Decision.ts"
import { canonicalUrl, maskedUrl } from "./EditWebhooks.ts"
import { MachineTime } from "../time/MachineTime.ts"
import * as SecretVersion from "./SecretVersion.ts"
import type { EndpointSettings, WebhookEndpointState } from "./WebhookEndpointState.ts"

/** An event is a delivery to each endpoint that wants it, written in the commit of the change. */
const mostEndpoints = 20

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

type Decided = Decision<WebhookEndpointState>

/** Each event once, in the order in which they were first named. */
const distinct = ({ events, url }: EndpointSettings): EndpointSettings => ({
  url: canonicalUrl(url),
  events: [...new Set(events)]
})

const isSame = (one: EndpointSettings, other: EndpointSettings): boolean =>
  one.url === other.url &&
  one.events.length === other.events.length &&
  one.events.every((event) => other.events.includes(event))

const isUnchanged = (next: WebhookEndpointState): Decided => ({ next, events: [] })

/**
 * A new endpoint, switched on, with a first secret of that salt. One that has a secret of this salt was made by this
 * very command, and is what it comes to.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create = (
  known: ReadonlyArray<WebhookEndpointState>,
  settings: EndpointSettings,
  context: { readonly id: number; readonly companyId: CompanyId; readonly salt: string; readonly now: MachineTime }
): Result.Result<Decided, TooManyEndpoints> => {
  const made = known.find(({ secrets }) => secrets.some(({ salt }) => salt === context.salt))
  if (made !== undefined) return Result.succeed(isUnchanged(made))
  if (known.length >= mostEndpoints) return Result.fail(new TooManyEndpoints())
  return Result.succeed(created(settings, { ...context, isDefault: false }))
}

/**
 * What `PUT /webhooks` does with the default endpoint: a new one, with the secret that the company has anyway, or the one
 * that is there, which is on from then on.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editDefault = (
  before: WebhookEndpointState | undefined,
  settings: EndpointSettings,
  context: { readonly id: number; readonly companyId: CompanyId; readonly now: MachineTime }
): Decided => {
  if (before === undefined) return created(settings, { ...context, salt: "", isDefault: true })
  const edited = edit(before, settings, context.now)
  const on = switchOn(edited.next, context.now)
  return { next: on.next, events: [...edited.events, ...on.events] }
}

const created = (
  settings: EndpointSettings,
  {
    companyId,
    id,
    isDefault,
    now,
    salt
  }: {
    readonly id: number
    readonly companyId: CompanyId
    readonly isDefault: boolean
    readonly salt: string
    readonly now: MachineTime
  }
): Decided => {
  const wanted = distinct(settings)
  const secrets = SecretVersion.first(salt, now)
  return {
    next: { id, companyId, isDefault, ...wanted, isOn: true, secrets, createdAt: now, updatedAt: now },
    events: [{ _tag: "WebhookEndpointCreated", endpointId: id, ...wanted, url: maskedUrl(wanted.url) }]
  }
}

/**
 * Changes address and events; on or off stays as it is.
 *
 * @category decisions
 * @since 0.1.0
 */
export const edit = (before: WebhookEndpointState, settings: Partial<EndpointSettings>, now: MachineTime): Decided => {
  const wanted = distinct({ url: settings.url ?? before.url, events: settings.events ?? before.events })
  return isSame(before, wanted)
    ? isUnchanged(before)
    : {
        next: { ...before, ...wanted, updatedAt: now },
        events: [{ _tag: "WebhookEndpointEdited", endpointId: before.id, ...wanted, url: maskedUrl(wanted.url) }]
      }
}

/**
 * @category decisions
 * @since 0.1.0
 */
export const switchOff = (before: WebhookEndpointState, reason: string, now: MachineTime): Decided =>
  before.isOn
    ? {
        next: { ...before, isOn: false, offReason: reason, offAt: now, updatedAt: now },
        events: [{ _tag: "WebhookEndpointSwitchedOff", endpointId: before.id, reason }]
      }
    : isUnchanged(before)

/**
 * @category decisions
 * @since 0.1.0
 */
export const switchOn = (before: WebhookEndpointState, now: MachineTime): Decided => {
  if (before.isOn) return isUnchanged(before)
  const { offAt: _, offReason: __, ...rest } = before
  return {
    next: { ...rest, isOn: true, updatedAt: now },
    events: [{ _tag: "WebhookEndpointSwitchedOn", endpointId: before.id }]
  }
}

/**
 * Takes an endpoint out for good: it is off, and wants nothing.
 *
 * @category decisions
 * @since 0.1.0
 */
export const remove = (before: WebhookEndpointState, now: MachineTime): Result.Result<Decided, DefaultEndpoint> => {
  if (before.isDefault) return Result.fail(new DefaultEndpoint())
  if (before.deletedAt !== undefined) return Result.succeed(isUnchanged(before))
  return Result.succeed({
    next: { ...before, isOn: false, events: [], updatedAt: now, deletedAt: now },
    events: [{ _tag: "WebhookEndpointDeleted", endpointId: before.id }]
  })
}

/**
 * A new secret; the earlier ones stay valid for `overlap` milliseconds. One of this salt was made by this very command.
 *
 * @category decisions
 * @since 0.1.0
 */
export const rotate = (
  before: WebhookEndpointState,
  { now, overlap, salt }: { readonly now: MachineTime; readonly overlap: number; readonly salt: string }
): Result.Result<Decided, SecretVersion.TooManySecrets> =>
  before.secrets.some((known) => known.salt === salt)
    ? Result.succeed(isUnchanged(before))
    : Result.map(SecretVersion.rotate(before.secrets, { now, overlap, salt }), (secrets) => ({
        next: { ...before, secrets, updatedAt: now },
        events: [
          {
            _tag: "WebhookSecretRotated",
            endpointId: before.id,
            version: secrets[0].version,
            earlierUntil: MachineTime.make(now + overlap)
          }
        ]
      }))

/**
 * Ends the overlap at once: only the newest secret is valid.
 *
 * @category decisions
 * @since 0.1.0
 */
export const endOverlap = (before: WebhookEndpointState, now: MachineTime): Decided =>
  SecretVersion.validAt(before.secrets, now).length === 1
    ? isUnchanged(before)
    : {
        next: { ...before, secrets: SecretVersion.endOverlap(before.secrets, now), updatedAt: now },
        events: [{ _tag: "WebhookSecretsEnded", endpointId: before.id, version: before.secrets[0].version }]
      }
