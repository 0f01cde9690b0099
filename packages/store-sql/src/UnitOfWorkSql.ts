/**
 * Units of work as SQL transactions; one inside another is a savepoint.
 *
 * **Details**
 *
 * On SQLite a transaction is the only writer from its first statement on. On PostgreSQL (`READ COMMITTED`) what is
 * read may change under it, save what was read with `findForUpdate`.
 *
 * @since 0.1.0
 */
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { ofCommit, toStoreError } from "./internal/StoreErrors.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<UnitOfWork, never, SqlClient.SqlClient> = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeError = toStoreError("the transaction")
    return UnitOfWork.of({
      transact: (effect) =>
        Effect.suspend(() => {
          let isWritten = false
          const written = Effect.tap(effect, () =>
            Effect.sync(() => {
              isWritten = true
            })
          )
          return Effect.mapError(sql.withTransaction(written), (error) => {
            if (!isSqlError(error)) return error
            // What fails once everything is written is the COMMIT.
            return isWritten ? ofCommit(error) : storeError(error)
          })
        }),
      afterCommit: sql.afterCommit
    })
  })
)
