/**
 * Changes of webhook endpoints as commands. Their root is the company, and a change that finds everything as it is to be
 * writes nothing.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { Decision } from "@parcela/core/values/Decision"
import { EndpointNotFound } from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Commands, neverMissing, withoutKey } from "../commands/Command.ts"
import { type Decided, nothingToWrite } from "../commands/Decided.ts"
import type { EndpointsContext } from "../loads/WebhookContexts.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { notFailing, type WebhookEndpoint } from "../ports/WebhookEndpoints.ts"

/**
 * Refuses an address that this server does not deliver to.
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
 * What is written of a decision, and the endpoint that it leaves. With `recovers` it ends a time of failures too.
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
    // A second default endpoint is refused by its constraint, and the company's version would not show it.
    guards: before === undefined && next.isDefault ? [] : [guard],
    changes: [{ table: "webhook_endpoints", before: before?.state, next, recovers }],
    events
  }
}

/** An endpoint that is there, or that was deleted at this instant: by the command that is run again. */
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
 * One change of an endpoint that is there; the endpoint as it is then. One that `removes` it may find that done, by itself:
 * a commit whose response was lost is run again.
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
