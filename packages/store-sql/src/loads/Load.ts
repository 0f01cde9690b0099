/**
 * The load of a command as one statement: the idempotency key, the root, and all that the decision needs, in one snapshot and one round
 * trip.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { ClockOffset } from "@parcela/core/time/Instant"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { memoize } from "@parcela/core/values/Memoize"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type { CompanyContext, Guard } from "@parcela/engine/command/LoadedCompany"
import type { KeyName, KeyRow } from "@parcela/engine/command/IdempotencyKey"
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as Statement from "../sql/Statement.ts"
import { toStoreError } from "../sql/StoreErrors.ts"
import { type Entity, type EntityTable, refersTo, type StoredState } from "../tables/Entities.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Load<N extends LoadName> {
  /** Returns one row, unless the company does not exist. */
  readonly statement: (dialect: Dialect.Dialect, args: Args<N>, key: KeyName | undefined) => Statement.Statement
  /** Locks the roots before a rerun on PostgreSQL loads them: a statement that waits for a lock would return old rows. */
  readonly lock: (args: Args<N>) => Statement.Statement
  readonly decode: (row: Statement.Row, args: Args<N>) => Result.Result<Loaded<N>, StoreError>
}

/**
 * The statement of a load: the columns of each load, and those of this one.
 *
 * The text omits the parts that the request does not need, because an unused join costs as much as a used one.
 */
export const loadStatement = <A extends { readonly companyId: CompanyId }>(
  own: (template: Statement.Template<A>) => { readonly columns: ReadonlyArray<string>; readonly joins: string }
): ((dialect: Dialect.Dialect, args: A, key: KeyName | undefined) => Statement.Statement) => {
  const statement = Statement.prepared<{ readonly args: A; readonly key: KeyName | undefined }>((template) => {
    const { columns, joins } = own(template.of(({ args }) => args))
    const hasKey = template.has(({ key }) => key)
    return `
      SELECT ${[companyColumns(template.dialect), ...(hasKey ? [keyColumns] : []), ...columns].join(", ")}
      FROM companies AS company
      ${hasKey ? keyJoin(template.of(({ key }) => key)) : ""}
      ${joins}
      WHERE company.id = ${template.bind(({ args }) => args.companyId)}
    `
  })
  return (dialect, args, key) => statement(dialect, { args, key })
}

/** Columns of the tenant (company). A command needs the endpoints of its company, and never the company's own state. */
const companyColumns = (dialect: Dialect.Dialect): string => `
  company.version AS company_version, company.clock_offset, company.restores,
  ${dialect.jsonRows(
    { id: "e.id", events: "e.events" },
    `(SELECT id, events FROM webhook_endpoints
      WHERE company_id = company.id AND deleted_at IS NULL ORDER BY id) AS e`
  )} AS endpoints`

const keyColumns = `stored.fingerprint AS key_fingerprint, stored.subject AS key_subject,
  stored.response_status AS key_status, stored.response_body AS key_body`

const keyJoin = (template: Statement.Template<KeyName | undefined>): string => `
  LEFT JOIN idempotency_keys AS stored
    ON stored.company_id = company.id AND stored.idempotency_key = ${template.bind((key) => key?.key ?? null)}`

/**
 * Locks the roots of a load on PostgreSQL. `ids` has a column with an identifier for each table, and `rows` follows `FROM`.
 */
export const lockRoots = <A>(
  roots: (template: Statement.Template<A>) => {
    readonly ids: Readonly<Partial<Record<Guard["table"], string>>>
    readonly rows: string
  }
): ((args: A) => Statement.Statement) => {
  const statement = Statement.prepared<A>((template) => {
    const { ids, rows } = roots(template)
    const locks = Object.entries(ids).map(([table, id]) => `${Dialect.advisoryLock(table, id)} AS ${table}`)
    return `SELECT ${locks.join(", ")} FROM ${rows}`
  })
  return (args) => statement(Dialect.postgres, args)
}

/** Locks the company. */
export const lockCompany = lockRoots<{ readonly companyId: CompanyId }>(({ bind }) => ({
  ids: { companies: "id" },
  rows: `companies WHERE id = ${bind(({ companyId }) => companyId)}`
}))

/** The condition that `alias` is the entity in the request. */
export const isRequested = (alias: string, ref: Statement.Template<EntityRef>): string =>
  refersTo(
    alias,
    ref.choose(({ typeId }) => typeId),
    ref.bind(({ id }) => id)
  )

/** A join of the company's row in another table. The tenant check: rows of other companies never match. */
export const join = (table: string, alias: string, condition: string): string =>
  `LEFT JOIN ${table} AS ${alias} ON ${alias}.company_id = company.id AND ${condition}`

/** The most aliases of states in all loads. */
const maxAliases = 100

/** Building these names for each row would take longer than reading the columns. */
const namesOf = memoize(maxAliases, (alias: string) => ({
  data: `${alias}_data`,
  version: `${alias}_version`,
  stateVersion: `${alias}_state_version`
}))

/** The columns of a joined state. */
export const stateOfAlias = (alias: string): string => {
  const { data, stateVersion, version } = namesOf(alias)
  return `${alias}.data AS ${data}, ${alias}.version AS ${version}, ${alias}.state_version AS ${stateVersion}`
}

/** Decodes a joined state; undefined if its join found no row, or is not part of the text. Throws a `StoreError`. */
export const stateOf = <S extends Entity>(
  { states }: EntityTable<S>,
  alias: string,
  row: Statement.Row
): StoredState<S> | undefined => {
  const names = namesOf(alias)
  const data = row[names.data]
  return data === null || data === undefined
    ? undefined
    : Result.getOrThrow(states.decode({ data, version: row[names.version], state_version: row[names.stateVersion] }))
}

/** A column with states as JSON, of the rows that follow `SELECT ..`. */
export const statesAsJson = (dialect: Dialect.Dialect, from: string): string =>
  dialect.jsonRows(
    { data: "data", version: "version", state_version: "state_version" },
    `(SELECT data, version, state_version ${from}) AS states`
  )

const decodeStates = Columns.decodeJson(
  Schema.Array(Schema.Struct({ data: Schema.String, version: Schema.Int, state_version: Schema.Int }))
)

/** The most frequent result of `jsonRows`. */
export const emptyJson = "[]"

/** Decodes `statesAsJson`; empty if the column is not part of the text. Throws a `StoreError`. */
export const statesOf = <S extends Entity>({ name, states }: EntityTable<S>, json: unknown): ReadonlyArray<S> =>
  json === emptyJson || json === undefined
    ? []
    : orThrow(decodeStates(json), name).map((row) => Result.getOrThrow(states.decode(row)).state)

/** A decoded column of a table. Throws the `StoreError` of a failure. */
export const orThrow = <A>(decoded: Result.Result<A, Schema.SchemaError>, table: string): A => {
  if (Result.isSuccess(decoded)) return decoded.success
  throw toStoreError(table)(decoded.failure)
}

/**
 * Decodes a load: the columns of each load, and those of this one. `own` returns undefined if the subject does not exist, and throws the
 * `StoreError` of a row that cannot be decoded.
 */
export const decodeLoad =
  <F>(
    own: (row: Statement.Row, company: CompanyContext, guard: Guard) => F | undefined
  ): ((
    row: Statement.Row,
    args: { readonly companyId: CompanyId }
  ) => Result.Result<{ readonly key: KeyRow | undefined; readonly found: F | undefined }, StoreError>) =>
  (row, { companyId }) => {
    try {
      const guard = { table: "companies", id: companyId, version: Number(row["company_version"]) } as const
      return Result.succeed({ key: keyOf(row), found: own(row, companyOf(row, companyId), guard) })
    } catch (thrown) {
      if (thrown instanceof StoreError) return Result.fail(thrown)
      throw thrown
    }
  }

/** Companies have few different clock offsets and lists of endpoints. */
const maxDecoded = 1_000

const decodeClock = memoize(maxDecoded, Schema.decodeUnknownResult(Columns.integer(ClockOffset)))

const decodeEndpoints = memoize(
  maxDecoded,
  Schema.decodeUnknownResult(
    Schema.fromJsonString(
      Schema.Array(
        Schema.Struct({
          id: Schema.Int,
          events: Schema.fromJsonString(Schema.Array(WebhookEvent))
        })
      )
    )
  )
)

const companyOf = (row: Statement.Row, companyId: CompanyId): CompanyContext => ({
  companyId,
  clock: orThrow(decodeClock(row["clock_offset"]), "companies"),
  restores: Number(row["restores"]),
  version: Number(row["company_version"]),
  endpoints: orThrow(decodeEndpoints(row["endpoints"]), "webhook_endpoints")
})

const decodeKey = Schema.decodeUnknownResult(
  Schema.Struct({
    key_fingerprint: Schema.String,
    key_subject: Schema.NullOr(Schema.String),
    key_status: Schema.NullOr(Columns.integer(Schema.Int)),
    key_body: Schema.NullOr(Schema.String)
  })
)

const keyOf = (row: Statement.Row): KeyRow | undefined => {
  if (row["key_fingerprint"] === null || row["key_fingerprint"] === undefined) return undefined
  const key = orThrow(decodeKey(row), "idempotency_keys")
  const { key_body: body, key_fingerprint: fingerprint, key_status: status, key_subject: subject } = key
  return {
    fingerprint,
    subject: subject ?? "",
    response: status === null ? undefined : { status, body: body ?? "" }
  }
}
