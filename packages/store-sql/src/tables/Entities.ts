/**
 * The tables of entities. A row has the state as JSON in `data`, and columns for the indexes. The columns are written and never read back.
 *
 * @since 0.1.0
 */
import { CardState } from "@parcela/core/cards/CardDecider"
import { ChargeState } from "@parcela/core/charges/ChargeState"
import { type CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import { compiledCheck } from "@parcela/core/json/CompiledSchema"
import { PlanState } from "@parcela/core/plans/PlanDecider"
import { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { cardOf, TransactionState } from "@parcela/core/transactions/TransactionState"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { Corrupt, StoreError, WrittenByNewer } from "@parcela/engine/ports/StoreError"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Shapes from "../sql/Shapes.ts"
import { toStoreError } from "../sql/StoreErrors.ts"

/**
 * The fields of every entity.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entity {
  readonly id: SvcPayId
  readonly companyId: CompanyId
  readonly myId?: MyId
}

/**
 * @category models
 * @since 0.1.0
 */
export interface EntityTable<S extends Entity, out Name extends string = string> {
  readonly name: Name
  readonly states: VersionedState<S>
  /** New rows. */
  readonly rows: Shapes.Rows<S>
  /** The update of a changed state. It always sets `data`, because a change changes something. */
  readonly changes: (before: S, next: S) => Shapes.Update
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const entityTable = <S extends Entity, Encoded, const Name extends string>(options: {
  readonly table: Name
  readonly schema: Schema.ConstraintCodec<S, Encoded>
  /** The columns other than `id`, `company_id`, `my_id` and `data`. */
  readonly columns: Shapes.Cells<S>
}): EntityTable<S, Name> => {
  const { columns, table } = options
  const states = versionedState(options)
  const found: Shapes.Cells<S> = {
    id: ({ id }) => id,
    company_id: ({ companyId }) => companyId,
    my_id: ({ myId }) => myId ?? null,
    ...columns
  }
  const changes = Shapes.changes(table, found, { further: ["data"], versioned: true })
  return {
    name: table,
    states,
    rows: Shapes.rows(table, { ...found, state_version: () => stateVersion, data: states.encode }),
    changes: (before, next) => changes(before, next, [states.encode(next)])
  }
}

/**
 * The condition that `alias` is the entity with this identifier or `myId`. `value` is a placeholder.
 *
 * @category conditions
 * @since 0.1.0
 */
export const refersTo = (alias: string, typeId: EntityRef["typeId"], value: string): string =>
  `${alias}.${typeId === "svcPayId" ? "id" : "my_id"} = ${value}`

/**
 * The version of the schemas of all states. It increases if existing rows do not match a new schema, or if an earlier program would drop a
 * new field.
 *
 * @category constants
 * @since 0.1.0
 */
export const stateVersion = 1

/**
 * A state with the version of its row.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredState<S> {
  readonly version: number
  readonly state: S
}

/**
 * @category models
 * @since 0.1.0
 */
export interface VersionedState<S> {
  /** Throws if the state does not match its schema: the state comes from this program. */
  readonly encode: (state: S) => string
  /** Decodes `data`, `version` and `state_version`. */
  readonly decode: (row: StateColumns) => Result.Result<StoredState<S>, StoreError>
}

/**
 * The columns that `decode` reads.
 *
 * @category columns
 * @since 0.1.0
 */
export const stateColumns = "data, version, state_version"

/**
 * The columns of a state as the driver returns them. PostgreSQL's integers are text.
 *
 * @category models
 * @since 0.1.0
 */
export interface StateColumns {
  readonly data?: unknown
  readonly version?: unknown
  readonly state_version?: unknown
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const versionedState = <S, Encoded>(options: {
  readonly table: string
  readonly schema: Schema.ConstraintCodec<S, Encoded>
}): VersionedState<S> => {
  const { schema, table } = options
  const decodeState = Schema.decodeUnknownResult(schema)
  const toError = toStoreError(table)
  const corrupt = (what: string) =>
    new StoreError({ reason: new Corrupt({ table, cause: new Error(`A state is ${what}`) }) })

  const checked = (json: unknown): Result.Result<S, StoreError> => {
    const state = decodeState(json)
    if (Result.isSuccess(state) && !Equal.equals(state.success, json)) {
      throw new Error(
        `A state in ${table} differs from its JSON: its schema transforms values, so the JSON cannot be used directly`
      )
    }
    return Result.mapError(state, toError)
  }

  const stateOf = (json: unknown): Result.Result<S, StoreError> => {
    if (areRowsChecked()) return checked(json)
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? // `encode` wrote this JSON.
        Result.succeed(json as S)
      : Result.fail(corrupt("no object"))
  }

  return {
    encode: jsonOf(schema),
    decode: ({ data, state_version, version }) => {
      const found = Number(state_version)
      if (found > stateVersion) {
        return Result.fail(new StoreError({ reason: new WrittenByNewer({ table, found, known: stateVersion }) }))
      }
      let json: unknown
      try {
        json = JSON.parse(String(data))
      } catch {
        // The message of `JSON.parse` contains a part of the text.
        return Result.fail(corrupt("no JSON"))
      }
      return Result.map(stateOf(json), (state) => ({ version: Number(version), state }))
    }
  }
}

/** Encodes a value as JSON text. Throws a `SchemaError` when the value does not match its schema. */
const jsonOf = <S, Encoded>(schema: Schema.ConstraintCodec<S, Encoded>): ((value: S) => string) => {
  const fits = compiledCheck(schema)
  const encodeValue = Schema.encodeResult(schema)
  return (value) => JSON.stringify(fits(value) ? value : Result.getOrThrow(encodeValue(value)))
}

let isChecked = false

/**
 * Makes this process check each decoded state by its schema, for tests.
 *
 * Without this, only `encode` checks a state: a second check at each read would take a third of the time of a list.
 *
 * @category testing
 * @since 0.1.0
 */
export const checkRows = (): void => {
  isChecked = true
}

const areRowsChecked = (): boolean => isChecked

/**
 * @category tables
 * @since 0.1.0
 */
export const cards = entityTable({
  table: "cards",
  schema: CardState,
  columns: {
    customer_id: ({ customerId }) => customerId,
    vault_token: ({ vaultToken }) => vaultToken,
    status: ({ status }) => status ?? "active",
    is_backup: ({ isBackup }) => (isBackup === true ? 1 : 0),
    created_at: ({ createdAt }) => createdAt
  }
})

/**
 * @category tables
 * @since 0.1.0
 */
export const charges = entityTable({
  table: "charges",
  schema: ChargeState,
  columns: {
    customer_id: ({ customerId }) => customerId,
    card_id: ({ cardId }) => cardId ?? null,
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})

/**
 * The states of companies. The database numbers companies, so the number is only in its column.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyStates = versionedState({
  table: "companies",
  schema: CompanyState.mapFields(Struct.omit(["id"]))
})

/**
 * @category tables
 * @since 0.1.0
 */
export const plans = entityTable({
  table: "plans",
  schema: PlanState,
  columns: {
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})

/**
 * @category tables
 * @since 0.1.0
 */
export const subscriptions = entityTable({
  table: "subscriptions",
  schema: SubscriptionState,
  columns: {
    customer_id: ({ customerId }) => customerId,
    card_id: ({ cardId }) => cardId ?? null,
    plan_id: ({ planId }) => planId ?? null,
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})

/**
 * @category tables
 * @since 0.1.0
 */
export const transactions = entityTable({
  table: "transactions",
  schema: TransactionState,
  columns: {
    subscription_id: ({ owner }) => (owner._tag === "Subscription" ? owner.id : null),
    charge_id: ({ owner }) => (owner._tag === "Charge" ? owner.id : null),
    card_id: (state) => cardOf(state) ?? null,
    status: ({ status }) => status,
    status_at: ({ statusAt }) => statusAt,
    payday: ({ payday }) => payday,
    created_at: ({ createdAt }) => createdAt
  }
})

/**
 * New rows of transactions. `SqliteCommandStore.ts` and `PostgresWrites.ts` build the INSERT text from these columns.
 *
 * @category columns
 * @since 0.1.0
 */
export const newTransactions: Shapes.Rows<{ readonly state: TransactionState; readonly customerId: SvcPayId }> = {
  shape: { ...transactions.rows.shape, columns: [...transactions.rows.shape.columns, "customer_id"] },
  values: ({ customerId, state }) => [...transactions.rows.values(state), customerId]
}
