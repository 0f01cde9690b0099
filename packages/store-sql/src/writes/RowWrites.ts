/**
 * Translates a write set into writes of rows. Updates set only the columns that differ.
 *
 * @since 0.1.0
 */
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { Change } from "@parcela/engine/command/Decided"
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import type { StoredResponse } from "@parcela/engine/command/IdempotencyKey"
import type { KeyWrite, WriteSet } from "@parcela/engine/command/WriteSet"
import type { WorkName } from "@parcela/engine/ports/DueWork"
import * as Shapes from "../sql/Shapes.ts"
import type { CountWrite, InsertWrite, RowWrite, UpdateWrite } from "../sql/Shapes.ts"
import { newAttempts, resultValues, settledAttempt } from "../tables/Attempts.ts"
import { customers } from "../tables/Customers.ts"
import { dueAgainAt, newDeliveries, newPayloads, replayedDelivery } from "../tables/Deliveries.ts"
import { deletedWork, newDueWork } from "../tables/DueWork.ts"
import {
  cards,
  charges,
  type Entity,
  type EntityTable,
  newTransactions,
  plans,
  subscriptions,
  transactions
} from "../tables/Entities.ts"
import { entriesOfRows, newJournalRows } from "../tables/Journal.ts"
import { emailWrites, newReferences, tagWrites } from "../tables/Lookups.ts"
import { endpointChanges, newEndpoints, newReplays } from "../tables/Webhooks.ts"

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
  for (const change of changes) rows.push(...relatedWrites(change))
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
      related: newPayloads.shape,
      rows: deliveries.map((each) => ({ own: newDeliveries.values(each), related: newPayloads.values(each) }))
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

/** Changes nothing but the version of a root. */
const versionOnly = (table: string): Shapes.UpdateShape => ({ table, set: [], where: ["id"], versioned: true })

const roots: Readonly<Record<Guard["table"], Shapes.UpdateShape>> = {
  charges: versionOnly("charges"),
  companies: versionOnly("companies"),
  customers: versionOnly("customers"),
  plans: versionOnly("plans"),
  subscriptions: versionOnly("subscriptions")
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

/** The writes of other tables that follow a change of an entity. */
const relatedWrites = (change: Change): ReadonlyArray<RowWrite> => {
  switch (change.table) {
    case "charges":
      return [...tagWrites(change.before, change.next), ...countWrites(change)]
    case "customers":
      return emailWrites(change.before, change.next)
    case "subscriptions":
      return countWrites(change)
    default:
      return []
  }
}

/** The statuses of live contracts. On PostgreSQL triggers of the schema count by the same statuses. */
const liveStatuses: ReadonlySet<SubscriptionState["status"]> = new Set(["active", "waitingPayment", "stopped"])

const contractsOf = (state: { readonly status: SubscriptionState["status"] } | undefined): number =>
  state !== undefined && liveStatuses.has(state.status) ? 1 : 0

/** Counts a contract that starts or ends, at its customer. */
const countWrites = ({
  before,
  next
}: Extract<Change, { readonly table: "charges" | "subscriptions" }>): ReadonlyArray<CountWrite> => {
  const by = contractsOf(next) - contractsOf(before)
  return by === 0 ? [] : [{ _tag: "Count", customerId: next.customerId, by }]
}

/** Deletes cancelled work, with one write for each kind. */
const cancelled = (names: ReadonlyArray<WorkName>): ReadonlyArray<RowWrite> =>
  [...Map.groupBy(names, ({ kind }) => kind)].map(([kind, work]) => ({
    _tag: "Delete",
    shape: deletedWork,
    where: [kind],
    among: work.map(({ subject }) => subject)
  }))

const response: Shapes.Cells<StoredResponse | undefined> = {
  response_status: (stored) => stored?.status ?? null,
  response_body: (stored) => stored?.body ?? null
}

const responseValues = Shapes.valuesOf(response)

const newKeys = Shapes.rows<Extract<KeyWrite, { readonly _tag: "Insert" }>>("idempotency_keys", {
  company_id: ({ name }) => name.companyId,
  idempotency_key: ({ name }) => name.key,
  fingerprint: ({ name }) => name.fingerprint,
  subject: ({ subject }) => subject,
  created_at: ({ at }) => at,
  response_status: ({ response }) => response?.status ?? null,
  response_body: ({ response }) => response?.body ?? null
})

const byName = { table: "idempotency_keys", where: ["company_id", "idempotency_key"], versioned: false }

/** The first response is stored once: a repeated request returns the same one. */
const responded: Shapes.UpdateShape = { ...byName, set: Object.keys(response), empty: ["response_status"] }

const keyWrites = (key: KeyWrite | undefined): ReadonlyArray<RowWrite> => {
  if (key === undefined) return []
  const where = [key.name.companyId, key.name.key]
  switch (key._tag) {
    case "Insert":
      return [{ _tag: "Insert", shape: newKeys.shape, rows: [newKeys.values(key)] }]
    case "Respond":
      return [{ _tag: "Update", shape: responded, set: responseValues(key.response), where }]
  }
}
