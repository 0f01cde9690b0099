/**
 * Companies and their credentials in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId, type CompanyState } from "@parcela/core/companies/CompanyState"
import { Companies, type Credential } from "@parcela/engine/ports/Companies"
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { missingRow, toStoreError } from "./internal/StoreErrors.ts"
import { lockedInRerun, noteRead, noteWritten, seenRow } from "./internal/Unit.ts"
import { companyStates as states } from "./tables/Companies.ts"

const table = "companies"

const decodeInserted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ id: Columns.integer(CompanyId) })]))

const decodeListed = Schema.decodeUnknownEffect(
  Schema.Struct({ clientId: Schema.String, id: Columns.integer(CompanyId) })
)

const decodeCredentials = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ clientId: Schema.String, secretHash: Schema.String, companyId: Columns.integer(CompanyId) })
  )
)

const listOf = (sql: SqlClient.SqlClient): Companies["Service"]["list"] =>
  Effect.fn("Companies.list")(
    function* ({ after = "", limit }) {
      const rows = yield* sql`
      SELECT credentials.client_id AS "clientId", companies.id, data, version, state_version
      FROM credentials JOIN companies ON companies.id = credentials.company_id
      WHERE credentials.client_id > ${after} ORDER BY credentials.client_id LIMIT ${limit}
    `
      return yield* Effect.forEach(rows, (row) =>
        Effect.gen(function* () {
          const { clientId, id } = yield* decodeListed(row)
          const { state } = yield* Effect.fromResult(states.decode(row))
          return { clientId, company: { ...state, id } }
        })
      )
    },
    Effect.mapError(toStoreError(table))
  )

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Companies, never, SqlClient.SqlClient> = Layer.effect(
  Companies,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError(table))
    const credentialErrors = Effect.mapError(toStoreError("credentials"))

    const read = Effect.fnUntraced(function* (id: CompanyId) {
      const locked = yield* lockedInRerun(sql)
      const [row] = yield* sql`SELECT data, version, state_version FROM companies WHERE id = ${id} ${locked}`
      if (row === undefined) return undefined
      const seen = yield* Effect.fromResult(states.decode(row))
      yield* noteRead(table, id, seen)
      return seen
    })

    return Companies.of({
      insert: Effect.fn("Companies.insert")(function* (company: Omit<CompanyState, "id">) {
        const row = { data: states.encode(company), state_version: states.current }
        const [{ id }] = yield* decodeInserted(yield* sql`INSERT INTO companies ${sql.insert(row)} RETURNING id`)
        return { ...company, id }
      }, storeErrors),

      update: Effect.fn("Companies.update")(function* (company: CompanyState) {
        const before = (yield* seenRow(table, company.id)) ?? (yield* read(company.id))
        if (before === undefined) return yield* Effect.die(missingRow(table, company.id))
        const data = states.encode(company)
        const version = before.version + 1
        const updated = yield* sql`
          UPDATE companies SET ${sql.update({ data, state_version: states.current, version })}
          WHERE id = ${company.id} AND version = ${before.version} RETURNING id
        `
        if (updated.length === 0) return yield* new StoreError({ reason: new Changed({ table }) })
        yield* noteWritten(table, company.id, { version, stateVersion: states.current, data, state: company })
      }, storeErrors),

      find: Effect.fn("Companies.find")(function* (id: CompanyId) {
        const found = yield* read(id)
        return found === undefined ? Option.none() : Option.some({ ...found.state, id })
      }, storeErrors),

      list: listOf(sql),

      insertCredential: Effect.fn("Companies.insertCredential")(function* (credential: Credential) {
        yield* sql`
          INSERT INTO credentials (client_id, secret_hash, company_id)
          VALUES (${credential.clientId}, ${credential.secretHash}, ${credential.companyId})
        `
      }, credentialErrors),

      putCredential: Effect.fn("Companies.putCredential")(function* (credential: Credential) {
        yield* sql`
          INSERT INTO credentials (client_id, secret_hash, company_id)
          VALUES (${credential.clientId}, ${credential.secretHash}, ${credential.companyId})
          ON CONFLICT (client_id) DO UPDATE
          SET secret_hash = excluded.secret_hash, company_id = excluded.company_id
        `
      }, credentialErrors),

      findCredential: Effect.fn("Companies.findCredential")(function* (clientId: string) {
        const rows = yield* sql`
          SELECT client_id AS "clientId", secret_hash AS "secretHash", company_id AS "companyId"
          FROM credentials WHERE client_id = ${clientId}
        `
        const [found] = yield* decodeCredentials(rows)
        return Option.fromUndefinedOr(found)
      }, credentialErrors)
    })
  })
)
