/**
 * A load as one statement: the key, the root and everything beside it, in one snapshot and one round trip.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type {
  Args,
  CardQuery,
  CompanyContext,
  FoundCards,
  KeyName,
  KeyRow,
  Loaded,
  LoadName
} from "@parcela/engine/ports/CommandStore"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import type { Entity, EntityTable } from "../internal/EntityTable.ts"
import { toStoreError } from "../internal/StoreErrors.ts"
import type { SeenRow } from "../internal/Unit.ts"
import { cards } from "../tables/Cards.ts"
import { companyStates } from "../tables/Companies.ts"
import type { Dialect } from "./Dialect.ts"
import type { Row, Statement, Value } from "./Statement.ts"

/**
 * How one load is asked for and read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Load<N extends LoadName> {
  /** The load, which brings one row always. */
  readonly statement: (dialect: Dialect, args: Args<N>, key: KeyName | undefined) => Statement
  /** Locks the roots for a rerun, before the load: a lock taken in the load would bring a new root beside old rows. */
  readonly lock: (dialect: Dialect, args: Args<N>) => Statement
  readonly read: (row: Row, args: Args<N>) => Result.Result<Loaded<N>, StoreError>
}

/** The place of a value in the text. */
export type Bind = (value: Value) => string

/** What names an entity of the company: its identifier, or its `myId`. */
export const refersTo = (alias: string, ref: EntityRef, bind: Bind): string =>
  ref.typeId === "svcPayId" ? `${alias}.id = ${bind(ref.id)}` : `${alias}.my_id = ${bind(ref.id)}`

/** The columns that a state is read from. */
export const stateColumns = (alias: string): string =>
  `${alias}.data AS ${alias}_data, ${alias}.version AS ${alias}_version, ${alias}.state_version AS ${alias}_state_version`

const stateFields = { data: "data", version: "version", state_version: "state_version" }

/** A state beside others in one row; undefined when its join found none. */
export const stateOf = <S extends Entity>(
  { states }: EntityTable<S>,
  alias: string,
  row: Row
): Result.Result<(SeenRow & { readonly state: S }) | undefined, StoreError> =>
  row[`${alias}_data`] === null
    ? Result.succeed(undefined)
    : states.decode({
        data: row[`${alias}_data`],
        version: row[`${alias}_version`],
        state_version: row[`${alias}_state_version`]
      })

/** The company, its endpoints and the key: what every load brings. */
export const companyColumns = (dialect: Dialect): string => `
  ${stateColumns("company")}, company.clock_offset,
  stored.fingerprint AS key_fingerprint, stored.subject AS key_subject, stored.answer_status AS key_status,
  stored.answer_body AS key_body,
  ${dialect.jsonRows(
    { id: "e.id", events: "e.events", isDefault: "e.is_default" },
    `(SELECT id, events, is_default FROM webhook_endpoints
      WHERE company_id = company.id AND deleted_at IS NULL ORDER BY id) AS e`
  )} AS endpoints`

/** What follows `FROM`; the statement ends with `ofCompany`. */
export const companyJoins = (key: KeyName | undefined, bind: Bind): string => `
  companies AS company
  LEFT JOIN idempotency_keys AS stored
    ON stored.company_id = company.id AND stored.idempotency_key = ${bind(key?.key ?? null)}`

/** Ends a load. */
export const ofCompany = (companyId: CompanyId, bind: Bind): string => `WHERE company.id = ${bind(companyId)}`

const decodeClock = Schema.decodeUnknownResult(Columns.integer(ClockOffset))

const decodeEndpoints = Schema.decodeUnknownResult(
  Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        events: Schema.fromJsonString(Schema.Array(WebhookEvent)),
        isDefault: Schema.Literals([0, 1])
      })
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

/** What every load brings, read. */
export const companyOf = (
  row: Row,
  companyId: CompanyId
): Result.Result<CompanyContext & { readonly key: KeyRow | undefined }, StoreError> =>
  Result.gen(function* () {
    const { state } = yield* companyStates.decode({
      data: row["company_data"],
      version: row["company_version"],
      state_version: row["company_state_version"]
    })
    const company: CompanyState = { ...state, id: companyId }
    const endpoints = yield* Result.mapError(decodeEndpoints(row["endpoints"]), toStoreError("webhook_endpoints"))
    return {
      company,
      clock: yield* Result.mapError(decodeClock(row["clock_offset"]), toStoreError("companies")),
      endpoints: endpoints.map(({ isDefault, ...endpoint }) => ({ ...endpoint, isDefault: isDefault === 1 })),
      key: yield* keyOf(row)
    }
  })

const keyOf = (row: Row): Result.Result<KeyRow | undefined, StoreError> =>
  row["key_fingerprint"] === null
    ? Result.succeed(undefined)
    : Result.map(
        Result.mapError(decodeKey(row), toStoreError("idempotency_keys")),
        ({ key_body: body, key_fingerprint: fingerprint, key_status: status, key_subject: subject }) => ({
          fingerprint,
          subject: subject ?? "",
          response: status === null ? undefined : { status, body: body ?? "" }
        })
      )

/** The cards that a request may mean. `owners` are the places of the customers whose cards may have the vault's token. */
export const cardColumns = (dialect: Dialect, owners: string, query: CardQuery | undefined, bind: Bind): string => `
  ${stateColumns("named_card")}, ${stateColumns("my_id_card")},
  ${dialect.jsonRows(
    stateFields,
    `(SELECT data, version, state_version FROM cards
      WHERE cards.company_id = company.id AND cards.vault_token = ${bind(query?.vaultToken ?? null)}
        AND cards.customer_id IN (${owners})
      ORDER BY id) AS same_card`
  )} AS vault_cards`

/** Follows `companyJoins`. */
export const cardJoins = (query: CardQuery | undefined, bind: Bind): string => `
  LEFT JOIN cards AS named_card ON named_card.company_id = company.id AND named_card.id = ${bind(query?.svcPayId ?? null)}
  LEFT JOIN cards AS my_id_card ON my_id_card.company_id = company.id AND my_id_card.my_id = ${bind(query?.myId ?? null)}`

const decodeStates = Schema.decodeUnknownResult(
  Schema.fromJsonString(
    Schema.Array(Schema.Struct({ data: Schema.String, version: Schema.Int, state_version: Schema.Int }))
  )
)

export const cardsOf = (row: Row): Result.Result<FoundCards, StoreError> =>
  Result.gen(function* () {
    const named = yield* stateOf(cards, "named_card", row)
    const sameMyId = yield* stateOf(cards, "my_id_card", row)
    const rows = yield* Result.mapError(decodeStates(row["vault_cards"]), toStoreError("cards"))
    const byVaultToken: Array<CardState> = []
    for (const found of rows) byVaultToken.push((yield* cards.states.decode(found)).state)
    return { bySvcPayId: named?.state, byMyId: sameMyId?.state, byVaultToken }
  })
