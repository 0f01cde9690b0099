/**
 * Commands that change webhook endpoints, and the use case of the default endpoint. The company is the aggregate root.
 * A change without effect writes nothing.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { Decision } from "@parcela/core/values/Decision"
import { EndpointNotFound, editDefault } from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { WebhookEndpointState, EndpointSettings } from "@parcela/core/webhooks/WebhookEndpointState"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Commands, neverMissing, withoutKey, type CommandOutcome, done } from "../command/Command.ts"
import { type KeyUse, storing, type KeyReused } from "../command/IdempotencyKey.ts"
import { type Decided, nothingToWrite } from "../command/Decided.ts"
import type { EndpointsContext } from "../command/LoadedCompany.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { notFailing, type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Times } from "../ports/WriteContext.ts"
import { Secrets } from "../authentication/Secrets.ts"
import * as Spans from "../Spans.ts"

/**
 * Refuses a URL to which this server does not deliver.
 *
 * @category refusals
 * @since 0.1.0
 */
export const checkUrl = Effect.fnUntraced(function* (
  url: string | undefined
): Effect.fn.Return<void, RefusedBy<"WebhookUrlNotAllowed">> {
  const { mayDeliverTo } = yield* Settings
  if (url !== undefined && !mayDeliverTo(url)) return yield* refuse({ _tag: "WebhookUrlNotAllowed" })
})

/**
 * Returns the writes of a decision and the changed endpoint. `recovers` also resets the failure history.
 *
 * @category conversions
 * @since 0.1.0
 */
export const decided = (
  { guard, known }: EndpointsContext,
  { events, next }: Decision<WebhookEndpointState>,
  recovers: boolean
): Decided<WebhookEndpoint> => {
  const before = known.find(({ state }) => state.id === next.id)
  const health = before === undefined || recovers ? notFailing : before.health
  const value = { ...next, ...health }
  if (events.length === 0 && health.failures === before?.health.failures) {
    return nothingToWrite(value)
  }
  return {
    value,
    guards: [guard],
    changes: [{ table: "webhook_endpoints", before: before?.state, next, recovers }],
    events
  }
}

/**
 * Returns an existing endpoint. Also returns an endpoint deleted at `deletedAt`, so that a rerun finds its own
 * deletion.
 */
const endpointIn = (
  { known }: EndpointsContext,
  endpointId: number,
  deletedAt: MachineTime | undefined
): Result.Result<WebhookEndpointState, EndpointNotFound> => {
  const state = known.find(({ state }) => state.id === endpointId)?.state
  return state === undefined || (state.deletedAt !== undefined && state.deletedAt !== deletedAt)
    ? Result.fail(new EndpointNotFound({ endpointId }))
    : Result.succeed(state)
}

/**
 * Runs one change of an existing endpoint and returns the endpoint after the change. With `removes`, a rerun after a
 * lost reply accepts its own deletion.
 *
 * @category commands
 * @since 0.1.0
 */
export const changeEndpoint = <E = never>(
  commands: Commands["Service"],
  { companyId, id: endpointId }: Pick<WebhookEndpointState, "companyId" | "id">,
  decide: (before: WebhookEndpointState, now: MachineTime) => Result.Result<Decision<WebhookEndpointState>, E>,
  { recovers = false, removes = false } = {}
): Effect.Effect<WebhookEndpoint, E | EndpointNotFound | StoreError> =>
  withoutKey(
    commands.run({
      load: "endpoints",
      args: { companyId, endpointId },
      decide: (found, { machine: now }) =>
        Result.gen(function* () {
          const before = yield* endpointIn(found, endpointId, removes ? now : undefined)
          return decided(found, yield* decide(before, now), recovers)
        }),
      missing: neverMissing
    })
  )

/**
 * The subscribed events of the default endpoint, and the company's `confirmHash`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedWebhooks {
  readonly confirmHash: Redacted.Redacted
  readonly events: ReadonlyArray<WebhookEvent>
}

/**
 * The settings of the default endpoint. `url` is undefined until it is set.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookSettings extends EditedWebhooks {
  readonly url: string | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class WebhookEditing extends Context.Service<
  WebhookEditing,
  {
    /** Returns the settings of the default endpoint. */
    readonly get: (companyId: CompanyId) => Effect.Effect<WebhookSettings, StoreError>
    /** Replaces the URL and the events of the default endpoint. */
    readonly edit: (
      companyId: CompanyId,
      command: EditWebhooks,
      key?: KeyUse<EditedWebhooks>
    ) => Effect.Effect<CommandOutcome<EditedWebhooks>, RefusedBy<"WebhookUrlNotAllowed"> | KeyReused | StoreError>
  }
>()("@parcela/engine/webhooks/WebhookEditing") {
  static readonly layer: Layer.Layer<WebhookEditing, never, Commands | Secrets | WebhookEndpoints> = Layer.effect(
    WebhookEditing,
    Effect.gen(function* () {
      const commands = yield* Commands
      const secrets = yield* Secrets
      const endpoints = yield* WebhookEndpoints
      return WebhookEditing.of({
        get: Spans.fn("WebhookEditing.get")(function* (companyId) {
          const found = (yield* endpoints.ofCompany(companyId)).find(({ isDefault }) => isDefault)
          return { url: found?.url, confirmHash: yield* secrets.confirmHash(companyId), events: found?.events ?? [] }
        }),
        edit: Spans.fn("WebhookEditing.edit")(function* (companyId, { events, url }, key) {
          yield* checkUrl(url)
          const settings = { url, events: [...new Set(events)] }
          const value = { confirmHash: yield* secrets.confirmHash(companyId), events: settings.events }
          const ran = yield* commands.run({
            load: "endpoints",
            args: { companyId },
            key: storing(key),
            decide: edit(companyId, settings, value),
            missing: neverMissing
          })
          // An earlier run under this key wrote the same settings. A later edit may have replaced them.
          return ran._tag === "Resumed" ? done(value) : ran
        })
      })
    })
  )
}

const edit =
  <A>(companyId: CompanyId, settings: EndpointSettings, value: A) =>
  (found: EndpointsContext, { machine: now }: Times): Result.Result<Decided<A>> => {
    const before = found.known.find(({ state }) => state.isDefault)
    const decision = editDefault(before?.state, settings, { id: found.nextId, companyId, now })
    return Result.succeed({ ...decided(found, decision, true), value, subject: "webhooks" })
  }
