/**
 * Commands on webhook endpoints.
 *
 * **Details**
 *
 * The commands are idempotent: a command that finds its change already made returns the state without events. If the
 * reply of a commit was lost, the repeated command therefore has no second event.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { Decision } from "../values/Decision.ts"
import { canonicalUrl, maskedUrl } from "./EditWebhooks.ts"
import { MachineTime } from "../time/Instant.ts"
import * as SecretVersion from "./SecretVersion.ts"
import type { EndpointSettings, WebhookEndpointState } from "./WebhookEndpointState.ts"

/** Maximum number of endpoints per company. The commit of a change writes one delivery per subscribed endpoint. */
const maxEndpoints = 20

/**
 * The company has no endpoint with this number.
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
 * The default endpoint (`PUT /webhooks`) cannot be deleted: the next edit would create it again.
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
    return `A company has at most ${maxEndpoints} webhook endpoints: delete one, or edit it`
  }
}

type Decided = Decision<WebhookEndpointState>

/** The canonical settings: each event once, in its first order. */
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
 * Creates an enabled endpoint with a first secret. If an endpoint already has a secret with this salt, this command
 * created it, and it is returned unchanged.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create = (
  existing: ReadonlyArray<WebhookEndpointState>,
  settings: EndpointSettings,
  context: { readonly id: number; readonly companyId: CompanyId; readonly salt: string; readonly now: MachineTime }
): Result.Result<Decided, TooManyEndpoints> => {
  const made = existing.find(({ secrets }) => secrets.some(({ salt }) => salt === context.salt))
  if (made !== undefined) return Result.succeed(isUnchanged(made))
  if (existing.length >= maxEndpoints) return Result.fail(new TooManyEndpoints())
  return Result.succeed(created(settings, { ...context, isDefault: false }))
}

/**
 * Edits and enables the default endpoint (`PUT /webhooks`), or creates it with the company's existing secret.
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
  const requested = distinct(settings)
  const secrets = SecretVersion.first(salt, now)
  return {
    next: { id, companyId, isDefault, ...requested, isOn: true, secrets, createdAt: now, updatedAt: now },
    events: [{ _tag: "WebhookEndpointCreated", endpointId: id, ...requested, url: maskedUrl(requested.url) }]
  }
}

/**
 * Changes URL and events. The endpoint stays on or off.
 *
 * @category decisions
 * @since 0.1.0
 */
export const edit = (before: WebhookEndpointState, settings: Partial<EndpointSettings>, now: MachineTime): Decided => {
  const requested = distinct({ url: settings.url ?? before.url, events: settings.events ?? before.events })
  return isSame(before, requested)
    ? isUnchanged(before)
    : {
        next: { ...before, ...requested, updatedAt: now },
        events: [{ _tag: "WebhookEndpointEdited", endpointId: before.id, ...requested, url: maskedUrl(requested.url) }]
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
  const { offAt: _, offReason: __, ...others } = before
  return {
    next: { ...others, isOn: true, updatedAt: now },
    events: [{ _tag: "WebhookEndpointSwitchedOn", endpointId: before.id }]
  }
}

/**
 * Deletes an endpoint: it is switched off and has no events.
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
 * Adds a secret; the earlier secrets stay valid for `overlap` milliseconds. If the salt is already in use, this command
 * was already executed, and the endpoint is returned unchanged.
 *
 * @category decisions
 * @since 0.1.0
 */
export const rotate = (
  before: WebhookEndpointState,
  { now, overlap, salt }: { readonly now: MachineTime; readonly overlap: number; readonly salt: string }
): Result.Result<Decided, SecretVersion.TooManySecrets> =>
  before.secrets.some((secret) => secret.salt === salt)
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
 * Ends the overlap at once: only the newest secret stays valid.
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
