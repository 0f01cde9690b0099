/**
 * Companies and their credentials in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId, CompanyState } from "@parcela/core/CompanyState"
import { Companies, type Credential } from "@parcela/engine/Companies"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import * as Columns from "./internal/Columns.ts"
import { missingRow, toStoreError } from "./internal/StoreErrors.ts"

// The database numbers companies, so the number is in its column alone.
const data = Columns.json(CompanyState.mapFields(Struct.omit(["id"])))

const decodeInserted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ id: Columns.integer(CompanyId) })]))

const decodeCredentials = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ clientId: Schema.String, secretHash: Schema.String, companyId: Columns.integer(CompanyId) })
  )
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Companies, never, SqlClient.SqlClient> = Layer.effect(
  Companies,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("companies"))
    const credentialErrors = Effect.mapError(toStoreError("credentials"))
    return Companies.of({
      insert: Effect.fn("Companies.insert")(function* (company: Omit<CompanyState, "id">) {
        const rows = yield* sql`INSERT INTO companies (data) VALUES (${data.encode(company)}) RETURNING id`
        const [{ id }] = yield* decodeInserted(rows)
        return { ...company, id }
      }, storeErrors),

      update: Effect.fn("Companies.update")(function* (company: CompanyState) {
        const updated = yield* sql`
          UPDATE companies SET data = ${data.encode(company)} WHERE id = ${company.id} RETURNING id
        `
        if (updated.length === 0) return yield* Effect.die(missingRow("companies", company.id))
      }, storeErrors),

      find: Effect.fn("Companies.find")(function* (id: CompanyId) {
        const rows = yield* sql<{ data: unknown }>`SELECT data FROM companies WHERE id = ${id}`
        const [found] = yield* data.decodeRows(rows)
        return Option.map(Option.fromUndefinedOr(found), (company) => ({ ...company, id }))
      }, storeErrors),

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
