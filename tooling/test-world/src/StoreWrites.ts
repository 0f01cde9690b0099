/**
 * Functions that write rows for tests. Each runs one transaction of the store, without the journal, deliveries and jobs
 * of a command.
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import type { Decision } from "@parcela/core/values/Decision"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { EndpointSettings, WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { Change, Decided } from "@parcela/engine/command/Decided"
import { type WriteSet, writeSet } from "@parcela/engine/command/WriteSet"
import { atOnce } from "@parcela/engine/ports/DueWork"
import { CommandStore, type Outcome } from "@parcela/engine/command/CommandStore"
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import type { EndpointsContext } from "@parcela/engine/command/LoadedCompany"
import type { KeyName } from "@parcela/engine/command/IdempotencyKey"
import type { JournalEntry } from "@parcela/engine/ports/Journal"
import {
  type Delivery,
  type DeliveryResult,
  type DeliveryAttempt,
  type NewDelivery,
  Outbox
} from "@parcela/engine/ports/Outbox"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import type { WebhookEndpoint } from "@parcela/engine/ports/WebhookEndpoints"
import { Settings } from "@parcela/engine/Settings"
import { replay } from "@parcela/engine/webhooks/ReplayDecisions"
import { decided } from "@parcela/engine/webhooks/EndpointChanges"
import { Effect, Option, Result } from "effect"

type Rows = Partial<Pick<WriteSet, "deliveries" | "journal" | "schedule">>

/** Writes the given rows, and nothing else. */
export const write = Effect.fnUntraced(function* (
  companyId: CompanyId,
  { started = [], changes = [], settled = [] }: Partial<Pick<Decided<unknown>, "started" | "changes" | "settled">>,
  rows: Rows = {}
): Effect.fn.Return<void, StoreError, CommandStore> {
  const store = yield* CommandStore
  const settings = yield* Settings
  yield* store.run({
    load: "company",
    args: { companyId },
    decide: ({ found }) => {
      const made = writeSet(
        { guards: [], changes, started, settled, events: [], schedule: [anything] },
        {
          company: found!,
          at: { business: BusinessTime.make(0), machine: MachineTime.make(0) },
          origin: { actor: { _tag: "Service" } },
          owner: "test",
          settings,
          key: undefined
        }
      )!
      const writes = { ...made, journal: [], deliveries: [], schedule: [], cancel: [], ...rows }
      return Result.succeed({ value: undefined, writes })
    }
  })
})

/** An empty decision has no write set. */
const anything = { kind: "delete old records", subject: "nothing", ...atOnce(MachineTime.make(0)) } as const

/** Writes a new row, or the next state of a row. */
export const writeChange = (change: Exclude<Change, { readonly table: "webhook_replays" }>) =>
  write(change.next.companyId, { changes: [change] })

/** Writes a new transaction of a subscription, or its next state. */
export const writeTransaction = Effect.fnUntraced(function* (
  next: TransactionState,
  before?: TransactionState
): Effect.fn.Return<void, StoreError, CommandStore | Subscriptions> {
  const subscriptions = yield* Subscriptions
  const owner = Option.getOrThrow(yield* subscriptions.find(next.companyId, bySvcPayId(next.owner.id)))
  yield* writeChange({ table: "transactions", before, next, customerId: owner.customerId })
})

/** Writes a new attempt. */
export const writeAttempt = ({ result, ...started }: Attempt) =>
  Effect.andThen(
    write(started.companyId, { started: [started] }),
    result === undefined ? Effect.void : write(started.companyId, { settled: [{ ...started, result }] })
  )

/** Writes deliveries that are due at once. */
export const writeDeliveries = (deliveries: ReadonlyArray<NewDelivery>) =>
  Effect.forEach(new Set(deliveries.map(({ companyId }) => companyId)), (companyId) =>
    write(companyId, {}, { deliveries: deliveries.filter((delivery) => delivery.companyId === companyId) })
  )

/** Records one attempt. Returns false if its lease was lost. */
export const recordAttempt = (
  { token, webhookId }: Pick<Delivery, "token" | "webhookId">,
  result: DeliveryResult,
  made: DeliveryAttempt
) =>
  Outbox.use((outbox) => Effect.map(outbox.record([{ webhookId, token, result, made }]), (held) => held.has(webhookId)))

/** Makes a delivery due again. Returns true if it did. */
export const replayDelivery = Effect.fnUntraced(function* (companyId: CompanyId, webhookId: number, at: MachineTime) {
  const store = yield* CommandStore
  const settings = yield* Settings
  const times = { business: BusinessTime.make(at), machine: at }
  const { value } = yield* store.run({
    load: "delivery",
    args: { companyId, webhookId },
    decide: ({ found }) =>
      Result.map(replay(webhookId)(found!, times), ({ value, ...decided }) => ({
        value,
        writes: writeSet(decided, {
          company: found!,
          at: times,
          origin: { actor: { _tag: "Service" } },
          owner: "test",
          settings,
          key: undefined
        })
      }))
  })
  return value
})

/** Writes entries of the journal in one commit. */
export const writeEntries = (entries: ReadonlyArray<JournalEntry>) => {
  const [first] = entries
  return first === undefined ? Effect.void : write(first.companyId, {}, { journal: entries })
}

/** Writes a decision on the endpoints of a company, and returns the endpoint. */
export const writeEndpoint = Effect.fnUntraced(function* (
  companyId: CompanyId,
  decide: (known: ReadonlyArray<WebhookEndpointState>, nextId: number) => Decision<WebhookEndpointState>,
  { endpointId, recovers = true }: { readonly endpointId?: number; readonly recovers?: boolean } = {}
): Effect.fn.Return<WebhookEndpoint, StoreError, CommandStore> {
  const store = yield* CommandStore
  const decideOn = (found: EndpointsContext) => {
    const decision = decide(
      found.known.map(({ state }) => state),
      found.nextId
    )
    return decided(found, decision, recovers)
  }
  const loaded = yield* store.run({
    load: "endpoints",
    args: { companyId, endpointId },
    decide: ({ found }) => Result.succeed({ value: found!, writes: undefined })
  })
  const { changes, value } = decideOn(loaded.value)
  if (changes.length > 0) yield* write(companyId, { changes })
  return value
})

/** Edits the default endpoint of a company, like `PUT /webhooks`. */
export const putEndpoint = (companyId: CompanyId, settings: EndpointSettings, now: MachineTime) =>
  writeEndpoint(companyId, (known, id) =>
    Endpoint.editDefault(
      known.find(({ isDefault }) => isDefault),
      settings,
      { id, companyId, now }
    )
  )

/** Adds an endpoint. */
export const addEndpoint = (companyId: CompanyId, settings: EndpointSettings, salt: string, now: MachineTime) =>
  writeEndpoint(companyId, (known, id) =>
    Result.getOrThrow(Endpoint.create(known, settings, { id, companyId, salt, now }))
  )

/** Disables an endpoint. */
export const switchEndpointOff = ({ companyId, id }: WebhookEndpointState, reason: string, now: MachineTime) =>
  writeEndpoint(
    companyId,
    (known) =>
      Endpoint.switchOff(
        known.find((one) => one.id === id)!,
        reason,
        now
      ),
    { recovers: false }
  )

/** Returns the result of a load, and writes nothing. */
export const look = <N extends LoadName>(load: N, args: Args<N>, key?: KeyName) =>
  Effect.map(
    CommandStore.use((store) =>
      store.run({
        load,
        args,
        key,
        decide: (loaded: Loaded<N>): Result.Result<Outcome<Loaded<N>>> =>
          Result.succeed({ value: loaded, writes: undefined })
      })
    ),
    ({ value }) => value
  )
