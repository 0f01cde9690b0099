/**
 * A write set as rows: what is inserted, updated and deleted in which table, with only the columns that differ.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { Change } from "@parcela/engine/command/Decided"
import type { WriteSet } from "@parcela/engine/command/WriteSet"
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import type { WorkName } from "@parcela/engine/ports/DueWork"
import type { Entity, EntityTable } from "../internal/EntityTable.ts"
import * as Shapes from "../internal/Shapes.ts"
import { newAttempts, resultValues, settledAttempt } from "../tables/Attempts.ts"
import { cards } from "../tables/Cards.ts"
import { charges } from "../tables/Charges.ts"
import { goneChargeTags, newChargeTags, tagChanges } from "../tables/ChargeTags.ts"
import { contractsOf, customers, foundEmail } from "../tables/Customers.ts"
import { dueAgainAt, newDeliveries, newPayloads, replayedDelivery } from "../tables/Deliveries.ts"
import { goneDueWork, newDueWork } from "../tables/DueWork.ts"
import { newReferences } from "../tables/ExternalReferences.ts"
import { keyWrites } from "../tables/IdempotencyKeys.ts"
import { entriesOfRows, newJournalRows } from "../tables/Journal.ts"
import { plans } from "../tables/Plans.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { newTransactions, transactions } from "../tables/Transactions.ts"
import { endpointChanges, newEndpoints } from "../tables/WebhookEndpoints.ts"
import { newReplays } from "../tables/WebhookReplays.ts"
import type { CountWrite, InsertWrite, RowWrite, UpdateWrite } from "./RowWrite.ts"

/**
 * The writes of a set, guards first.
 *
 * @category conversions
 * @since 0.1.0
 */
export const rowWrites = (writes: WriteSet): ReadonlyArray<RowWrite> => {
  const { started, cancel, changes, deliveries, guards, journal, references, replayed, schedule, settled } = writes
  const entities = changes.map(changeOf)
  const rows: Array<RowWrite> = guards.map((guard) => guardOf(guard, entities))
  for (const change of entities) if (!isGuarded(change, guards)) rows.push(change.write)
  for (const change of changes) rows.push(...besideOf(change))
  // A provider may call a transaction again what it called it before.
  insert(rows, newReferences, references)
  insert(rows, newAttempts, started)
  for (const attempt of settled) {
    rows.push({ _tag: "Update", shape: settledAttempt, set: resultValues(attempt), where: [attempt.id] })
  }
  insert(rows, newJournalRows, entriesOfRows(journal))
  if (deliveries.length > 0) {
    rows.push({
      _tag: "InsertNumbered",
      shape: newDeliveries.shape,
      key: "webhook_id",
      beside: newPayloads.shape,
      rows: deliveries.map((each) => ({ own: newDeliveries.values(each), beside: newPayloads.values(each) }))
    })
  }
  for (const { at, companyId, webhookId } of replayed) {
    rows.push({ _tag: "Update", shape: replayedDelivery, set: dueAgainAt(at), where: [companyId, webhookId] })
  }
  if (cancel.length > 0) rows.push(...cancelled(cancel))
  insert(rows, newDueWork, schedule)
  rows.push(...keyWrites(writes.key))
  return rows
}

const insert = <A>(into: Array<RowWrite>, { shape, values }: Shapes.Rows<A>, of: ReadonlyArray<A>): void => {
  if (of.length > 0) into.push({ _tag: "Insert", shape, rows: of.map(values) })
}

interface EntityChange {
  readonly table: Change["table"]
  readonly id: number
  readonly write: InsertWrite | UpdateWrite
}

const isOf = ({ id, table }: EntityChange, guard: Guard): boolean => guard.table === table && guard.id === id

const isGuarded = (change: EntityChange, guards: ReadonlyArray<Guard>): boolean =>
  change.write._tag === "Update" && guards.some((guard) => isOf(change, guard))

/** A root of which nothing changes but the version. */
const untouched = (table: string): Shapes.UpdateShape => ({ table, set: [], where: ["id"], versioned: true })

const roots: Readonly<Record<Guard["table"], Shapes.UpdateShape>> = {
  charges: untouched("charges"),
  companies: untouched("companies"),
  customers: untouched("customers"),
  plans: untouched("plans"),
  subscriptions: untouched("subscriptions")
}

const guardOf = (guard: Guard, changes: ReadonlyArray<EntityChange>): RowWrite => {
  const { id, table, version } = guard
  for (const change of changes) {
    if (change.write._tag !== "Update" || !isOf(change, guard)) continue
    const { set, shape } = change.write
    return { _tag: "Guard", shape, id, version, set }
  }
  return { _tag: "Guard", shape: roots[table], id, version, set: [] }
}

const changeIn = <S extends Entity>(
  { changes, rows }: EntityTable<S>,
  before: S | undefined,
  next: S
): InsertWrite | UpdateWrite => (before === undefined ? inserted(rows, next) : updated(next.id, changes(before, next)))

const inserted = <A>({ shape, values }: Shapes.Rows<A>, next: A): InsertWrite => ({
  _tag: "Insert",
  shape,
  rows: [values(next)]
})

const updated = (id: number, { set, shape }: Shapes.Update): UpdateWrite => ({
  _tag: "Update",
  shape,
  set,
  where: [id]
})

const changeOf = (change: Change): EntityChange => ({ table: change.table, id: change.next.id, write: writeOf(change) })

const writeOf = (change: Change): InsertWrite | UpdateWrite => {
  switch (change.table) {
    case "cards":
      return changeIn(cards, change.before, change.next)
    case "charges":
      return changeIn(charges, change.before, change.next)
    case "customers":
      return changeIn(customers, change.before, change.next)
    case "plans":
      return changeIn(plans, change.before, change.next)
    case "subscriptions":
      return changeIn(subscriptions, change.before, change.next)
    case "transactions":
      return change.before === undefined
        ? inserted(newTransactions, { state: change.next, customerId: change.customerId })
        : changeIn(transactions, change.before, change.next)
    case "webhook_endpoints": {
      const { before, next, recovers = false } = change
      return before === undefined
        ? inserted(newEndpoints, next)
        : updated(next.id, endpointChanges(before, next, recovers))
    }
    case "webhook_replays":
      return inserted(newReplays, change.next)
  }
}

/** The rows beside an entity's own. */
const besideOf = (change: Change): ReadonlyArray<RowWrite> => {
  switch (change.table) {
    case "charges":
      return [...tagWrites(change), ...countWrites(change)]
    case "customers":
      return emailWrites(change)
    case "subscriptions":
      return countWrites(change)
    default:
      return []
  }
}

const newEmails = Shapes.rows<{ readonly companyId: CompanyId; readonly customerId: SvcPayId; readonly email: string }>(
  "customer_emails",
  {
    company_id: ({ companyId }) => companyId,
    customer_id: ({ customerId }) => customerId,
    email: ({ email }) => email
  }
)

const goneEmails: Shapes.DeleteShape = {
  table: "customer_emails",
  where: ["company_id", "customer_id"],
  among: "email"
}

const emailsOf = (state: CustomerState | undefined): ReadonlySet<string> => new Set(state?.emails?.map(foundEmail))

/** The rows that a customer is found by its e-mail addresses with. */
const emailWrites = ({ before, next }: Extract<Change, { readonly table: "customers" }>): ReadonlyArray<RowWrite> => {
  if (before?.emails === next.emails) return []
  const [earlier, now] = [emailsOf(before), emailsOf(next)]
  const owner = { companyId: next.companyId, customerId: next.id }
  const rows: Array<RowWrite> = []
  const added = [...now].filter((email) => !earlier.has(email))
  const removed = [...earlier].filter((email) => !now.has(email))
  insert(
    rows,
    newEmails,
    added.map((email) => ({ ...owner, email }))
  )
  if (removed.length > 0) {
    rows.push({ _tag: "Delete", shape: goneEmails, where: [next.companyId, next.id], among: removed })
  }
  return rows
}

/** A contract that begins or ends is counted with its customer. */
const countWrites = ({
  before,
  next
}: Extract<Change, { readonly table: "charges" | "subscriptions" }>): ReadonlyArray<CountWrite> => {
  const by = contractsOf(next) - contractsOf(before)
  return by === 0 ? [] : [{ _tag: "Count", customerId: next.customerId, by }]
}

const tagWrites = ({ before, next }: Extract<Change, { readonly table: "charges" }>): ReadonlyArray<RowWrite> => {
  const { added, removed } = tagChanges(before, next)
  const rows: Array<RowWrite> = []
  insert(rows, newChargeTags, added)
  if (removed.length > 0) {
    rows.push({ _tag: "Delete", shape: goneChargeTags, where: [next.companyId, next.id], among: removed })
  }
  return rows
}

/** One statement for each kind, however many rows there are of it. */
const cancelled = (names: ReadonlyArray<WorkName>): ReadonlyArray<RowWrite> =>
  [...Map.groupBy(names, ({ kind }) => kind)].map(([kind, work]) => ({
    _tag: "Delete",
    shape: goneDueWork,
    where: [kind],
    among: work.map(({ subject }) => subject)
  }))
