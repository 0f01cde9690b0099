/**
 * All that a unit writes. Only `writeSet` makes one, so that no use case can leave out the journal, the deliveries, the
 * due work or the key.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CardState } from "@parcela/core/cards/CardState"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { PlanState } from "@parcela/core/plans/PlanState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { referencesOf, type TransactionReference } from "@parcela/core/transactions/TransactionReference"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { JournalEntry } from "../ports/Journal.ts"
import type { Origin } from "./Origin.ts"
import type { NewDelivery } from "../ports/Outbox.ts"
import type { CompanyContext, Guard, KeyName, StoredResponse } from "../ports/CommandStore.ts"
import type { NewWork, WorkName } from "../ports/DueWork.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"
import type { SettingsShape } from "../Settings.ts"
import type { Shown } from "../queries/Views.ts"
import { deliveriesOf } from "./Deliveries.ts"
import { entriesOf } from "./JournalEntries.ts"
import { scheduleOf } from "./Schedule.ts"
import type { Times } from "./Times.ts"

/**
 * A row that is new, or one that changed. A row below a root needs no version of its own: the root's guard covers it.
 *
 * @category models
 * @since 0.1.0
 */
export type Change =
  | { readonly table: "cards"; readonly before?: CardState | undefined; readonly next: CardState }
  | { readonly table: "charges"; readonly before?: ChargeState | undefined; readonly next: ChargeState }
  | { readonly table: "customers"; readonly before?: CustomerState | undefined; readonly next: CustomerState }
  | { readonly table: "plans"; readonly before?: PlanState | undefined; readonly next: PlanState }
  | {
      readonly table: "subscriptions"
      readonly before?: SubscriptionState | undefined
      readonly next: SubscriptionState
    }
  | {
      readonly table: "transactions"
      readonly before?: TransactionState | undefined
      readonly next: TransactionState
      /** So that payments are found by their customer. */
      readonly customerId: SvcPayId
    }
  | {
      readonly table: "webhook_endpoints"
      readonly before?: WebhookEndpointState | undefined
      readonly next: WebhookEndpointState
      /** Ends a time of failures. */
      readonly recovers?: boolean
    }
  | { readonly table: "webhook_replays"; readonly before?: undefined; readonly next: WebhookReplay }

/**
 * What a use case decided: what only it knows. The rest of the write set follows from it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decided<A> {
  readonly value: A
  /** The roots that the decision rests on. */
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  /** Attempts that begin, and attempts that ended. */
  readonly begun?: ReadonlyArray<Attempt>
  readonly settled?: ReadonlyArray<Attempt>
  readonly events: ReadonlyArray<BillingEvent>
  /** Deliveries that were over and are due again, by `webhookId`. */
  readonly replayed?: ReadonlyArray<number>
  /** Due work that does not follow from the changes. */
  readonly schedule?: ReadonlyArray<NewWork>
  readonly cancel?: ReadonlyArray<WorkName>
  /** What deliveries carry, for each transaction that events are about; events without a delivery need none. */
  readonly shown?: Shown | ReadonlyArray<Shown>
  /** Names what was written or joined, for a repeat under the same key. Without it the key stays free. */
  readonly subject?: string
}

/**
 * What a decision comes to that finds all as it is to be.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nothingToWrite = <A>(value: A, subject?: string): Decided<A> => ({
  value,
  guards: [],
  changes: [],
  events: [],
  ...(subject === undefined ? {} : { subject })
})

/**
 * What becomes of the key: stored with what was written (and the response, where it is known already), or completed with
 * the response. `Adopt` gives a key whose fingerprint was erased that of the command that came with it.
 *
 * @category models
 * @since 0.1.0
 */
export type KeyWrite =
  | {
      readonly _tag: "Insert"
      readonly name: KeyName
      readonly subject: string
      readonly response: StoredResponse | undefined
      readonly at: MachineTime
    }
  | { readonly _tag: "Respond"; readonly name: KeyName; readonly response: StoredResponse }
  | { readonly _tag: "Adopt"; readonly name: KeyName }

/**
 * What a provider calls a transaction, and did not before.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewReference extends TransactionReference {
  readonly companyId: CompanyId
  readonly transactionId: SvcPayId
}

const newReferences = (change: Change): ReadonlyArray<NewReference> => {
  if (change.table !== "transactions") return []
  const known = change.before === undefined ? [] : referencesOf(change.before)
  return referencesOf(change.next)
    .filter(({ kind, value }) => !known.some((other) => other.kind === kind && other.value === value))
    .map((reference) => ({ ...reference, companyId: change.next.companyId, transactionId: change.next.id }))
}

/**
 * A delivery that is due again.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReplayedDelivery {
  readonly companyId: CompanyId
  readonly webhookId: number
  readonly at: MachineTime
}

/**
 * A company as often restored as this: once it was restored again, nothing of the set is written.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyGuard {
  readonly id: CompanyId
  readonly restores: number
}

const made: unique symbol = Symbol("@parcela/engine/commands/WriteSet")

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteSet {
  readonly [made]: true
  /** Whose rows are written, as it was loaded; none for a write that rests on nothing loaded. */
  readonly company: CompanyGuard | undefined
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  readonly references: ReadonlyArray<NewReference>
  readonly begun: ReadonlyArray<Attempt>
  readonly settled: ReadonlyArray<Attempt>
  readonly journal: ReadonlyArray<JournalEntry>
  readonly deliveries: ReadonlyArray<NewDelivery>
  readonly replayed: ReadonlyArray<ReplayedDelivery>
  readonly schedule: ReadonlyArray<NewWork>
  readonly cancel: ReadonlyArray<WorkName>
  readonly key: KeyWrite | undefined
}

/**
 * Everything that follows from a decision; undefined when nothing is to be written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writeSet = (
  decided: Omit<Decided<unknown>, "value" | "subject">,
  context: {
    readonly company: CompanyContext
    readonly at: Times
    readonly origin: Origin
    /** The process that begins attempts, and how long they are its own. */
    readonly owner: string
    readonly settings: SettingsShape
    readonly key: KeyWrite | undefined
  }
): WriteSet | undefined => {
  const { begun = [], changes, events, guards, replayed = [], settled = [], shown = [] } = decided
  const { at, company, key, origin, settings } = context
  const { cancel, schedule } = scheduleOf(decided, context)
  const isNothing = [changes, begun, settled, events, schedule, cancel].every(({ length }) => length === 0)
  if (isNothing && key === undefined) return undefined
  return {
    [made]: true,
    company: { id: company.company.id, restores: company.restores },
    guards: isNothing ? [] : guards,
    changes,
    references: changes.flatMap(newReferences),
    begun,
    settled,
    journal: entriesOf(decided, {
      companyId: company.company.id,
      at: at.machine,
      businessAt: at.business,
      origin
    }),
    deliveries: [shown].flat().flatMap((each) => deliveriesOf(events, each, { company, at: at.machine, settings })),
    replayed: replayed.map((webhookId) => ({ companyId: company.company.id, webhookId, at: at.machine })),
    schedule,
    cancel,
    key
  }
}

/**
 * Gives a key whose fingerprint was erased that of the command that came with it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const adopting = (name: KeyName): WriteSet => ({
  [made]: true,
  company: undefined,
  guards: [],
  changes: [],
  references: [],
  begun: [],
  settled: [],
  journal: [],
  deliveries: [],
  replayed: [],
  schedule: [],
  cancel: [],
  key: { _tag: "Adopt", name }
})
