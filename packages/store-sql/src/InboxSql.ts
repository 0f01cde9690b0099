/**
 * The inbox of a receiver kept in SQL (SQLite or PostgreSQL), in a table of its own that it creates: `inbox`.
 *
 * @since 0.1.0
 */
import { Inbox, InboxError } from "@parcela/webhooks/Inbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The inbox over the current client. A claim is one statement: it is on disk when it returns true.
 *
 * **Details**
 *
 * Entries are kept for good: an id that is forgotten could be claimed again. `received_at` is in milliseconds since
 * 1970. Give it a database of the receiver's own, or see to it that no other table is named `inbox`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Inbox, InboxError, SqlClient.SqlClient> = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE TABLE IF NOT EXISTS inbox (
        webhook_id TEXT NOT NULL PRIMARY KEY,
        event TEXT NOT NULL,
        received_at BIGINT NOT NULL,
        body TEXT NOT NULL
      )
    `.pipe(
      // Two processes that start together can both find no table, and in PostgreSQL the slower one then fails.
      Effect.retry({ times: 2 }),
      Effect.mapError((cause) => new InboxError({ cause }))
    )

    const claim = Effect.fn("Inbox.claim")(
      function* ({ body, event, receivedAt, webhookId }: Parameters<Inbox["Service"]["claim"]>[0]) {
        const claimed = yield* sql`
          INSERT INTO inbox (webhook_id, event, received_at, body)
          VALUES (${webhookId}, ${event}, ${receivedAt}, ${body})
          ON CONFLICT (webhook_id) DO NOTHING
          RETURNING webhook_id
        `.withoutTransform
        return claimed.length === 1
      },
      Effect.mapError((cause) => new InboxError({ cause }))
    )
    return Inbox.of({ claim })
  })
)
