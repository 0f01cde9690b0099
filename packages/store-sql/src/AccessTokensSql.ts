/**
 * Access tokens in SQL, by keyed hash.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Scope } from "@parcela/core/companies/Scope"
import { MachineTime } from "@parcela/core/time/Instant"
import { type AccessTokenRow, AccessTokens } from "@parcela/engine/ports/AccessTokens"
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
import { companyStates } from "./tables/Entities.ts"

const Scopes = Schema.Array(Scope)

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      hash: Schema.String,
      companyId: Columns.integer(CompanyId),
      clientId: Schema.String,
      scopes: Schema.fromJsonString(Scopes),
      expiresAt: Columns.integer(MachineTime)
    })
  )
)

const insertion = Statement.prepared<AccessTokenRow>(
  ({ bind }) => `INSERT INTO access_tokens (hash, company_id, client_id, scopes, expires_at)
    VALUES (${bind(({ hash }) => hash)}, ${bind(({ companyId }) => companyId)},
      ${bind(({ clientId }) => clientId)}, ${bind(({ scopes }) => JSON.stringify(scopes))},
      ${bind(({ expiresAt }) => expiresAt)})`
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<AccessTokens, never, SqlClient.SqlClient> = Layer.effect(
  AccessTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dialect = dialectOf(sql)
    const storeErrors = Effect.mapError(toStoreError("access_tokens"))
    return AccessTokens.of({
      insert: Spans.fn("AccessTokens.insert")(
        (token: AccessTokenRow) => Effect.asVoid(Statement.run(sql, insertion(dialect, token))),
        storeErrors
      ),

      find: Spans.fn("AccessTokens.find")(function* (hash: string) {
        const rows = yield* sql`
          SELECT token.hash, token.company_id AS "companyId", token.client_id AS "clientId", token.scopes,
            token.expires_at AS "expiresAt", company.data, company.version, company.state_version
          FROM access_tokens AS token JOIN companies AS company ON company.id = token.company_id
          WHERE token.hash = ${hash}
        `
        const [found] = yield* decodeRows(rows)
        if (found === undefined) return Option.none()
        // The first row exists, because it was decoded.
        const { state } = yield* Effect.fromResult(companyStates.decode(rows[0]!))
        return Option.some({ token: found, company: { ...state, id: found.companyId } })
      }, storeErrors),

      deleteExpired: Spans.fn("AccessTokens.deleteExpired")(function* (now: MachineTime, limit: number) {
        const deleted = yield* sql`
          DELETE FROM access_tokens WHERE hash IN (
            SELECT hash FROM access_tokens WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${limit}
          ) RETURNING hash
        `
        return deleted.length
      }, storeErrors)
    })
  })
)
