/**
 * A load as one statement: the key, the root and everything beside it, in one snapshot and one round trip.
 *
 * @since 0.1.0
 */
import { ClockOffset } from "@parcela/core/time/Instant"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { memoize } from "@parcela/core/values/Memoize"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import type { CompanyContext, Guard, KeyName, KeyRow } from "@parcela/engine/command/LoadedCompany"
import { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import { type Entity, type EntityTable, refersTo, type StoredState } from "../tables/Entities.ts"
import { toStoreError } from "../sql/StoreErrors.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as Statement from "../sql/Statement.ts"

/**
 * How one load is asked for and read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Load<N extends LoadName> {
  /** The load, which brings one row always. */
  readonly statement: (dialect: Dialect, args: Args<N>, key: KeyName | undefined) => Statement.Statement
  /** Waits for the turn of the roots, for a rerun, before the load: what waits in the load would bring old rows. */
  readonly turn: (dialect: Dialect, args: Args<N>) => Statement.Statement
  readonly read: (row: Statement.Row, args: Args<N>) => Result.Result<Loaded<N>, StoreError>
}

/** The condition that `alias` is the entity that a request names. */
export const isAsked = (alias: string, ref: Statement.Asking<EntityRef>): string =>
  refersTo(
    alias,
    ref.choose(({ typeId }) => typeId),
    ref.bind(({ id }) => id)
  )

/** The names of a state's columns in a row. A name that is built anew for each row takes longer than the column. */
const namesOf = (alias: string) => {
  const names = stateNames.get(alias) ?? {
    data: `${alias}_data`,
    version: `${alias}_version`,
    stateVersion: `${alias}_state_version`
  }
  // As many as there are aliases in our statements.
  stateNames.set(alias, names)
  return names
}

const stateNames = new Map<string, { readonly data: string; readonly version: string; readonly stateVersion: string }>()

/** The columns that a state is read from. */
export const stateColumns = (alias: string): string => {
  const { data, stateVersion, version } = namesOf(alias)
  return `${alias}.data AS ${data}, ${alias}.version AS ${version}, ${alias}.state_version AS ${stateVersion}`
}

/**
 * A state beside others in one row; undefined when its join found none, or was not asked for. Throws a `StoreError`, which `reading`
 * returns.
 */
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

/** What every load brings of the company and its endpoints. No unit needs the company's own state. */
const companyColumns = (dialect: Dialect): string => `
  company.version AS company_version, company.clock_offset, company.restores,
  ${dialect.jsonRows(
    { id: "e.id", events: "e.events" },
    `(SELECT id, events FROM webhook_endpoints
      WHERE company_id = company.id AND deleted_at IS NULL ORDER BY id) AS e`
  )} AS endpoints`

/** What a load brings of the key, where there is one. */
const keyColumns = `stored.fingerprint AS key_fingerprint, stored.subject AS key_subject,
  stored.response_status AS key_status, stored.response_body AS key_body`

const keyJoin = (ask: Statement.Asking<KeyName | undefined>): string => `
  LEFT JOIN idempotency_keys AS stored
    ON stored.company_id = company.id AND stored.idempotency_key = ${ask.bind((key) => key?.key ?? null)}`

/**
 * A load: what every one brings, and what this one brings beside. Whatever may be left out of a request is left out of the text too: each
 * column that is null, and each join that finds nothing, takes as long as one that has something.
 */
export const loading = <A extends { readonly companyId: CompanyId }>(
  beside: (ask: Statement.Asking<A>) => { readonly columns: ReadonlyArray<string>; readonly joins: string }
): ((dialect: Dialect, args: A, key: KeyName | undefined) => Statement.Statement) => {
  const statement = Statement.prepared<{ readonly args: A; readonly key: KeyName | undefined }>((ask) => {
    const { columns, joins } = beside(ask.of(({ args }) => args))
    const isKeyed = ask.has(({ key }) => key)
    return `
      SELECT ${[companyColumns(ask.dialect), ...(isKeyed ? [keyColumns] : []), ...columns].join(", ")}
      FROM companies AS company
      ${isKeyed ? keyJoin(ask.of(({ key }) => key)) : ""}
      ${joins}
      WHERE company.id = ${ask.bind(({ args }) => args.companyId)}
    `
  })
  return (dialect, args, key) => statement(dialect, { args, key })
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

const decodeKey = Schema.decodeUnknownResult(
  Schema.Struct({
    key_fingerprint: Schema.String,
    key_subject: Schema.NullOr(Schema.String),
    key_status: Schema.NullOr(Columns.integer(Schema.Int)),
    key_body: Schema.NullOr(Schema.String)
  })
)

const companyOf = (row: Statement.Row, companyId: CompanyId): CompanyContext => ({
  companyId,
  clock: orThrow(decodeClock(row["clock_offset"]), "companies"),
  restores: Number(row["restores"]),
  version: Number(row["company_version"]),
  endpoints: orThrow(decodeEndpoints(row["endpoints"]), "webhook_endpoints")
})

/** What a column of a table was decoded to; throws its `StoreError`, which `reading` returns. */
export const orThrow = <A>(decoded: Result.Result<A, Schema.SchemaError>, table: string): A => {
  if (Result.isSuccess(decoded)) return decoded.success
  throw toStoreError(table)(decoded.failure)
}

/**
 * Reads a load: what every one brings, and what `read` makes of the rest; undefined when the subject is not there. `read` throws
 * the `StoreError` of what cannot be read.
 */
export const reading =
  <F>(
    read: (row: Statement.Row, company: CompanyContext, guard: Guard) => F | undefined
  ): ((
    row: Statement.Row,
    args: { readonly companyId: CompanyId }
  ) => Result.Result<{ readonly key: KeyRow | undefined; readonly found: F | undefined }, StoreError>) =>
  (row, { companyId }) => {
    try {
      const guard = { table: "companies", id: companyId, version: Number(row["company_version"]) } as const
      return Result.succeed({ key: keyOf(row), found: read(row, companyOf(row, companyId), guard) })
    } catch (thrown) {
      if (thrown instanceof StoreError) return Result.fail(thrown)
      throw thrown
    }
  }

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

/** States as JSON, of the rows that follow `SELECT ..`. */
export const stateRows = (dialect: Dialect, from: string): string =>
  dialect.jsonRows(
    { data: "data", version: "version", state_version: "state_version" },
    `(SELECT data, version, state_version ${from}) AS states`
  )

const decodeStates = Columns.decodeJson(
  Schema.Array(Schema.Struct({ data: Schema.String, version: Schema.Int, state_version: Schema.Int }))
)

/** A list of `jsonRows` that has none. */
export const none = "[]"

/** The states of `stateRows`; none where they were not asked for. */
export const statesOf = <S extends Entity>({ name, states }: EntityTable<S>, json: unknown): ReadonlyArray<S> =>
  json === none || json === undefined
    ? []
    : orThrow(decodeStates(json), name).map((found) => Result.getOrThrow(states.decode(found)).state)
