/**
 * The write set: all rows that one command writes.
 *
 * Only `writeSet` can construct the type, so every use case writes the journal, deliveries, jobs and key of its
 * decision.
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
 * The write to the key row: an insert (with the response if it is known), or an update that adds the response.
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
 * A new external reference of a transaction. A reference that belongs to an attempt is stored with the attempt only.
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
 * A finished delivery that is due again.
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
 * The number of restores of a company when it was loaded. If the company was restored since, the store writes nothing.
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
  /** The company that owns the rows. Undefined for a write that depends on no loaded data. */
  readonly company: CompanyGuard | undefined
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  readonly references: ReadonlyArray<NewReference>
  readonly started: ReadonlyArray<Attempt>
  readonly settled: ReadonlyArray<Attempt>
  readonly journal: ReadonlyArray<JournalEntry>
  readonly deliveries: ReadonlyArray<NewDelivery>
  readonly replayed: ReadonlyArray<ReplayedDelivery>
  readonly schedule: ReadonlyArray<NewWork>
  readonly cancel: ReadonlyArray<WorkName>
  readonly key: KeyWrite | undefined
}

/**
 * Returns all writes that follow from a decision, or undefined for a decision without writes.
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
    /** The process that holds the leases of new attempts. */
    readonly owner: string
    readonly settings: SettingsShape
    readonly key: KeyWrite | undefined
  }
): WriteSet | undefined => {
  const { started = [], changes, events, guards, replayed = [], settled = [], shown = [] } = decided
  const { at, company, key, origin, settings } = context
  const { cancel, schedule } = scheduleOf(decided, context)
  const count = changes.length + started.length + settled.length + events.length + schedule.length + cancel.length
  const isNothing = count === 0
  if (isNothing && key === undefined) return undefined
  return {
    [made]: true,
    company: { id: company.companyId, restores: company.restores },
    guards: isNothing ? [] : guards,
    changes,
    references: changes.flatMap((change) => newReferences(change, settled)),
    started,
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
