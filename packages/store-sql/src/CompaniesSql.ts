/**
 * Companies and their credentials in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId, type CompanyState } from "@parcela/core/companies/CompanyState"
import { Companies, type Credential } from "@parcela/engine/ports/Companies"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./sql/Columns.ts"
import { dialectOf } from "./sql/Dialect.ts"
import * as Statement from "./sql/Statement.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { companyStates as states, stateVersion } from "./tables/Entities.ts"

const table = "companies"

const decodeInserted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ id: Columns.integer(CompanyId) })]))

const decodeListed = Schema.decodeUnknownEffect(
  Schema.Struct({ clientId: Schema.String, id: Columns.integer(CompanyId) })
)

const decodeCompanyId = Schema.decodeUnknownEffect(Columns.integer(CompanyId))

const listOf = (sql: SqlClient.SqlClient): Companies["Service"]["list"] =>
  Spans.fn("Companies.list")(
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

const editOf = (sql: SqlClient.SqlClient): Companies["Service"]["edit"] =>
  Spans.fn("Companies.edit")(
    (id: CompanyId, fields: Parameters<Companies["Service"]["edit"]>[1]) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // This locks the row: an edit of another field may run at the same time.
          const [row] = yield* sql`
            UPDATE companies SET version = version + 1 WHERE id = ${id} RETURNING data, version, state_version
          `
          if (row === undefined) return Option.none()
          const company = { ...(yield* Effect.fromResult(states.decode(row))).state, ...fields }
          yield* sql`UPDATE companies SET data = ${states.encode(company)} WHERE id = ${id}`
          return Option.some({ ...company, id })
        })
      ),
    Effect.mapError(toStoreError(table))
  )

const companyById = Statement.prepared<CompanyId>(
  ({ bind }) => `SELECT data, version, state_version FROM companies WHERE id = ${bind((id) => id)}`
)

const credentialOf = Statement.prepared<string>(
  ({ bind }) => `SELECT client_id AS "clientId", secret_hash AS "secretHash", company_id AS "companyId"
    FROM credentials WHERE client_id = ${bind((clientId) => clientId)}`
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Companies, never, SqlClient.SqlClient> = Layer.effect(
  Companies,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dialect = dialectOf(sql)
    const storeErrors = Effect.mapError(toStoreError(table))
    const credentialErrors = Effect.mapError(toStoreError("credentials"))

    const insert = Effect.fnUntraced(function* (company: Omit<CompanyState, "id">) {
      const row = { data: states.encode(company), state_version: stateVersion }
      const [{ id }] = yield* decodeInserted(yield* sql`INSERT INTO companies ${sql.insert(row)} RETURNING id`)
      return { ...company, id }
    })

    return Companies.of({
      insert: Spans.fn("Companies.insert")(insert, storeErrors),

      insertWithCredential: Spans.fn("Companies.insertWithCredential")(
        (company: Omit<CompanyState, "id">, { clientId, secretHash }: Omit<Credential, "companyId">) =>
          sql.withTransaction(
            Effect.tap(
              insert(company),
              ({ id }) =>
                sql`
                  INSERT INTO credentials (client_id, secret_hash, company_id)
                  VALUES (${clientId}, ${secretHash}, ${id})
                `
            )
          ),
        credentialErrors
      ),

      find: Spans.fn("Companies.find")(function* (id: CompanyId) {
        const [row] = yield* Statement.run(sql, companyById(dialect, id))
        return row === undefined
          ? Option.none()
          : Option.some({ ...(yield* Effect.fromResult(states.decode(row))).state, id })
      }, storeErrors),

      edit: editOf(sql),

      list: listOf(sql),

      putCredential: Spans.fn("Companies.putCredential")(function* (credential: Credential) {
        yield* sql`
          INSERT INTO credentials (client_id, secret_hash, company_id)
          VALUES (${credential.clientId}, ${credential.secretHash}, ${credential.companyId})
          ON CONFLICT (client_id) DO UPDATE
          SET secret_hash = excluded.secret_hash, company_id = excluded.company_id
        `
      }, credentialErrors),

      findCredential: Spans.fn("Companies.findCredential")(
        (clientId: string) =>
          Effect.flatMap(Statement.run(sql, credentialOf(dialect, clientId)), ([row]) =>
            row === undefined
              ? Effect.succeedNone
              : Effect.map(decodeCompanyId(row["companyId"]), (companyId) =>
                  Option.some({ clientId, companyId, secretHash: String(row["secretHash"]) })
                )
          ),
        credentialErrors
      )
    })
  })
)
