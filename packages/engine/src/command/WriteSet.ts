/**
 * All that a unit writes. Only `writeSet` makes one, so that no use case can leave out the journal, the deliveries, the
 * due work or the key.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import {
  kindOfAttempts,
  referencesOf,
  type TransactionReference
} from "@parcela/core/transactions/TransactionReference"
import * as Arr from "effect/Array"
import type { JournalEntry } from "../ports/Journal.ts"
import type { Origin } from "../ports/Origin.ts"
import type { NewDelivery } from "../ports/Outbox.ts"
import type { CompanyContext, Guard, KeyName, StoredResponse } from "./LoadedCompany.ts"
import type { NewWork, WorkName } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"
import { deliveriesOf } from "./NewDeliveries.ts"
import { entriesOf } from "./JournalEntries.ts"
import { scheduleOf } from "./ScheduledWork.ts"
import type { Times } from "../ports/Times.ts"
import type { Change, Decided } from "./Decided.ts"

/**
 * What becomes of the key: stored with what was written (and the response, where it is known already), or completed with
 * the response.
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

/**
 * What a provider calls a transaction, and did not before. What it called an attempt stands with the attempt alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewReference extends TransactionReference {
  readonly companyId: CompanyId
  readonly transactionId: SvcPayId
}

const newReferences = (change: Change, settled: ReadonlyArray<Attempt>): ReadonlyArray<NewReference> => {
  if (change.table !== "transactions") return []
  const { before, next } = change
  const known = before === undefined ? [] : referencesOf(before)
  return referencesOf(next)
    .filter(({ kind, value }) => !known.some((other) => other.kind === kind && other.value === value))
    .filter((reference) => !settled.some((attempt) => isOfAttempt(reference, next.id, attempt)))
    .map((reference) => ({ ...reference, companyId: next.companyId, transactionId: next.id }))
}

const isOfAttempt = ({ kind, value }: TransactionReference, transaction: SvcPayId, attempt: Attempt): boolean =>
  attempt.result?.reference === value &&
  kindOfAttempts[attempt.provider] === kind &&
  attempt.transactionId === transaction

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

const made: unique symbol = Symbol("@parcela/engine/command/WriteSet")

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
  const count = changes.length + begun.length + settled.length + events.length + schedule.length + cancel.length
  const isNothing = count === 0
  if (isNothing && key === undefined) return undefined
  return {
    [made]: true,
    company: { id: company.companyId, restores: company.restores },
    guards: isNothing ? [] : guards,
    changes,
    references: changes.flatMap((change) => newReferences(change, settled)),
    begun,
    settled,
    journal: entriesOf(decided, {
      companyId: company.companyId,
      at: at.machine,
      businessAt: at.business,
      origin
    }),
    deliveries: Arr.ensure(shown).flatMap((each) => deliveriesOf(events, each, { company, at: at.machine, settings })),
    replayed: replayed.map((webhookId) => ({ companyId: company.companyId, webhookId, at: at.machine })),
    schedule,
    cancel,
    key
  }
}
