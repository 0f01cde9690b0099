/**
 * A write set as rows: what is inserted, updated and deleted in which table, with only the columns that differ.
 *
 * @since 0.1.0
 */
import type { Change } from "@parcela/engine/commands/Decided"
import type { KeyWrite, NewReference, WriteSet } from "@parcela/engine/commands/WriteSet"
import type { NewDelivery } from "@parcela/engine/ports/Outbox"
import type { WorkName } from "@parcela/engine/ports/DueWork"
import { changedColumns, type Columns, type Entity, type EntityTable } from "../internal/EntityTable.ts"
import { attemptRow, resultColumns } from "../tables/Attempts.ts"
import { cards } from "../tables/Cards.ts"
import { charges } from "../tables/Charges.ts"
import { tagChanges } from "../tables/ChargeTags.ts"
import { customers, foundEmail } from "../tables/Customers.ts"
import { deliveryRow, dueAgain } from "../tables/Deliveries.ts"
import { dueWorkRow } from "../tables/DueWork.ts"
import { journalRows } from "../tables/Journal.ts"
import { plans } from "../tables/Plans.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { transactions } from "../tables/Transactions.ts"
import { endpointRow, notFailing } from "../tables/WebhookEndpoints.ts"
import { replayRow } from "../tables/WebhookReplays.ts"

/**
 * One statement's worth.
 *
 * - `Guard`: raises the version of a root, and sets what changed of it, unless its version is another one by now
 * - `Insert`: rows with the same columns; `upsert` names the key columns of a table whose rows are replaced
 * - `InsertNumbered`: rows that the database numbers in their order, and for each a row of another table under its number
 * - `Update`: the rows that have these values
 * - `Delete`: the rows that have these values, and one of `among`
 *
 * @category models
 * @since 0.1.0
 */
export type RowWrite =
  | {
      readonly _tag: "Guard"
      readonly table: string
      readonly id: number
      readonly version: number
      readonly set: Columns
    }
  | {
      readonly _tag: "Insert"
      readonly table: string
      readonly rows: ReadonlyArray<Columns>
      readonly upsert?: ReadonlyArray<string>
    }
  | InsertNumbered
  | {
      readonly _tag: "Update"
      readonly table: string
      readonly set: Columns
      readonly where: Columns
      /** A row of an entity: its version rises. */
      readonly versioned: boolean
    }
  | {
      readonly _tag: "Delete"
      readonly table: string
      readonly where: Columns
      readonly among: { readonly column: string; readonly values: ReadonlyArray<string> }
    }

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertNumbered {
  readonly _tag: "InsertNumbered"
  readonly table: string
  /** The column of both tables that has the number. */
  readonly key: string
  readonly beside: string
  readonly rows: ReadonlyArray<{ readonly own: Columns; readonly beside: Columns }>
}

/**
 * The writes of a set, guards first.
 *
 * @category conversions
 * @since 0.1.0
 */
export const rowWrites = (writes: WriteSet): ReadonlyArray<RowWrite> => {
  const changes = writes.changes.map(changeOf)
  const guards = writes.guards.map((guard): RowWrite => {
    const own = changes.find(({ id, isNew, table }) => !isNew && table === guard.table && id === guard.id)
    return { _tag: "Guard", table: guard.table, id: guard.id, version: guard.version, set: own?.columns ?? {} }
  })
  const isGuarded = (change: EntityChange) =>
    !change.isNew && writes.guards.some(({ id, table }) => table === change.table && id === change.id)
  return [
    ...guards,
    ...changes.filter((change) => !isGuarded(change)).map(entityWrite),
    ...writes.changes.flatMap(emailWrites),
    ...writes.changes.flatMap(tagWrites),
    // A provider may call a transaction again what it called it before.
    ...inserted("external_references", writes.references.map(referenceRow), [
      "kind",
      "value",
      "company_id",
      "transaction_id"
    ]),
    ...inserted("attempts", writes.begun.map(attemptRow)),
    ...writes.settled.map((attempt): RowWrite => ({
      _tag: "Update",
      table: "attempts",
      set: resultColumns(attempt),
      // An attempt ends once.
      where: { id: attempt.id, settled_at: null },
      versioned: false
    })),
    ...inserted("journal", journalRows(writes.journal)),
    ...deliveriesWrite(writes.deliveries),
    ...writes.replayed.map(({ at, companyId, webhookId }): RowWrite => ({
      _tag: "Update",
      table: "deliveries",
      set: dueAgain(at),
      where: { company_id: companyId, webhook_id: webhookId },
      versioned: false
    })),
    ...cancelled(writes.cancel),
    ...inserted("due_work", writes.schedule.map(dueWorkRow), ["kind", "subject"]),
    ...keyWrite(writes.key)
  ]
}

const deliveriesWrite = (deliveries: ReadonlyArray<NewDelivery>): ReadonlyArray<RowWrite> =>
  deliveries.length === 0
    ? []
    : [
        {
          _tag: "InsertNumbered",
          table: "deliveries",
          key: "webhook_id",
          beside: "delivery_payloads",
          rows: deliveries.map((delivery) => ({ own: deliveryRow(delivery), beside: { payload: delivery.payload } }))
        }
      ]

interface EntityChange {
  readonly table: string
  readonly id: number
  readonly isNew: boolean
  /** Whether its row has a version, which rises with each change. */
  readonly isVersioned: boolean
  readonly columns: Columns
}

const changeIn = <S extends Entity>(
  table: EntityTable<S>,
  before: S | undefined,
  next: S,
  fixed: Columns = {}
): EntityChange => ({
  table: table.name,
  id: next.id,
  isNew: before === undefined,
  isVersioned: true,
  columns:
    before === undefined
      ? { ...table.row(next), ...fixed }
      : // What `data` was is not asked: a change that changes nothing is no change. Its row may be of an older shape.
        { ...changedColumns(table.row(before, ""), table.row(next)), state_version: table.states.current }
})

const changeOf = (change: Change): EntityChange => {
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
      return changeIn(transactions, change.before, change.next, { customer_id: change.customerId })
    case "webhook_endpoints":
      return endpointChange(change)
    case "webhook_replays":
      return {
        table: change.table,
        id: change.next.id,
        isNew: true,
        isVersioned: false,
        columns: replayRow(change.next)
      }
  }
}

/** The rows that a customer is found by its e-mail addresses with. */
const emailWrites = (change: Change): ReadonlyArray<RowWrite> => {
  if (change.table !== "customers") return []
  const { before, next } = change
  if (before?.emails === next.emails) return []
  const [earlier, now] = [before?.emails ?? [], next.emails].map((emails) => new Set(emails.map(foundEmail)))
  const owner = { company_id: next.companyId, customer_id: next.id }
  const added = [...(now ?? [])].filter((email) => earlier?.has(email) !== true)
  const removed = [...(earlier ?? [])].filter((email) => now?.has(email) !== true)
  return [
    ...inserted(
      "customer_emails",
      added.map((email) => ({ ...owner, email }))
    ),
    ...(removed.length === 0
      ? []
      : [
          {
            _tag: "Delete",
            table: "customer_emails",
            where: owner,
            among: { column: "email", values: removed }
          } as const
        ])
  ]
}

const endpointChange = ({
  before,
  next,
  recovers = false,
  table
}: Extract<Change, { readonly table: "webhook_endpoints" }>): EntityChange => ({
  table,
  id: next.id,
  isNew: before === undefined,
  isVersioned: false,
  columns: {
    ...(before === undefined ? endpointRow(next) : changedColumns(endpointRow(before), endpointRow(next))),
    ...(before === undefined || recovers ? notFailing : {})
  }
})

const tagWrites = (change: Change): ReadonlyArray<RowWrite> => {
  if (change.table !== "charges") return []
  const { added, removed } = tagChanges(change.before, change.next)
  const { companyId, id } = change.next
  return [
    ...inserted("charge_tags", added),
    ...(removed.length === 0
      ? []
      : [
          {
            _tag: "Delete",
            table: "charge_tags",
            where: { company_id: companyId, charge_id: id },
            among: { column: "tag", values: removed }
          } as const
        ])
  ]
}

/** One statement for each kind, however many rows there are of it. */
const cancelled = (names: ReadonlyArray<WorkName>): ReadonlyArray<RowWrite> =>
  [...Map.groupBy(names, ({ kind }) => kind)].map(([kind, work]) => ({
    _tag: "Delete",
    table: "due_work",
    where: { kind },
    among: { column: "subject", values: work.map(({ subject }) => subject) }
  }))

const referenceRow = ({ companyId, kind, transactionId, value }: NewReference): Columns => ({
  kind,
  value,
  company_id: companyId,
  transaction_id: transactionId
})

const entityWrite = ({ columns, id, isNew, isVersioned, table }: EntityChange): RowWrite =>
  isNew
    ? { _tag: "Insert", table, rows: [columns] }
    : { _tag: "Update", table, set: columns, where: { id }, versioned: isVersioned }

const inserted = (
  table: string,
  rows: ReadonlyArray<Columns>,
  upsert?: ReadonlyArray<string>
): ReadonlyArray<RowWrite> =>
  rows.length === 0 ? [] : [{ _tag: "Insert", table, rows, ...(upsert === undefined ? {} : { upsert }) }]

const keyWrite = (key: KeyWrite | undefined): ReadonlyArray<RowWrite> => {
  if (key === undefined) return []
  const where = { company_id: key.name.companyId, idempotency_key: key.name.key }
  const response = (stored: { readonly status: number; readonly body: string } | undefined) => ({
    response_status: stored?.status ?? null,
    response_body: stored?.body ?? null
  })
  switch (key._tag) {
    case "Insert":
      return inserted("idempotency_keys", [
        {
          ...where,
          fingerprint: key.name.fingerprint,
          subject: key.subject,
          created_at: key.at,
          ...response(key.response)
        }
      ])
    case "Respond":
      // The first response went out; a repeat must get the same one.
      return [
        {
          _tag: "Update",
          table: "idempotency_keys",
          set: response(key.response),
          where: { ...where, response_status: null },
          versioned: false
        }
      ]
    case "Adopt":
      return [
        {
          _tag: "Update",
          table: "idempotency_keys",
          set: { fingerprint: key.name.fingerprint },
          where: { ...where, fingerprint: "" },
          versioned: false
        }
      ]
  }
}
