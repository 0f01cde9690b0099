/**
 * Moves what the first version kept in the service's database into the store of the providers: the vault's cards above
 * all, which the service's cards point to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { SimulatorStore } from "./SimulatorStore.ts"

/** Rows that are read and written at once. */
const pageSize = 500

type Row = Readonly<Record<string, string | number | bigint | null>>

interface Table {
  readonly name: string
  /** The columns that its rows are read in the order of. */
  readonly key: ReadonlyArray<string>
  /** Writes rows that may be there already. */
  readonly write: (store: SqlClient.SqlClient, rows: ReadonlyArray<Row>) => Effect.Effect<unknown, SqlError>
}

/**
 * Moves all that is left of the first version; does nothing where nothing is.
 *
 * **Details**
 *
 * The rows are committed in the store before the tables are dropped, and a row that is there already stays as it is: a
 * crash at any moment leaves every row in one of the two places, and the next start goes on. On PostgreSQL the old tables
 * are locked meanwhile, so that a process of the first version that still runs adds nothing that would be lost.
 *
 * @category running
 * @since 0.1.0
 */
export const move = Effect.fn("FirstVersion.move")(function* (
  from: SqlClient.SqlClient
): Effect.fn.Return<void, SqlError, SimulatorStore> {
  const store = yield* SimulatorStore
  yield* from.withTransaction(
    Effect.gen(function* () {
      yield* waitForOthers(from)
      const there = yield* tablesThere(from)
      if (there.length === 0) return
      yield* lock(from, there)
      yield* Effect.forEach(there, (table) => copy(from, store, table), { discard: true })
      yield* Effect.forEach(there, ({ name }) => from`DROP TABLE ${from(name)}`, { discard: true })
      yield* Effect.logInfo("The vault and the ledger of the simulated providers were moved into a store of their own")
    })
  )
})

/**
 * Moves them while the layer is built, out of the service's database.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, SqlError, SimulatorStore | SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, move)
)

/** Held while rows are moved; the same number in every process. */
const advisoryLock = 7_266_835_429

const onPostgres = (sql: SqlClient.SqlClient, effect: () => Effect.Effect<unknown, SqlError>) =>
  sql.onDialectOrElse({ pg: effect, orElse: () => Effect.void })

/** Several processes that start at once move once; the others wait as long as their connections allow. */
const waitForOthers = (from: SqlClient.SqlClient) =>
  onPostgres(from, () =>
    Effect.andThen(from`SET LOCAL statement_timeout = 0`, from`SELECT pg_advisory_xact_lock(${advisoryLock})`)
  )

const tablesThere = Effect.fnUntraced(function* (from: SqlClient.SqlClient) {
  const found: Array<Table> = []
  for (const table of tables) {
    const rows = yield* from.onDialectOrElse({
      pg: () => from`SELECT 1 WHERE to_regclass(${table.name}::text) IS NOT NULL`,
      orElse: () => from`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table.name}`
    })
    if (rows.length > 0) found.push(table)
  }
  return found
})

const lock = (from: SqlClient.SqlClient, there: ReadonlyArray<Table>) =>
  onPostgres(from, () =>
    Effect.forEach(there, ({ name }) => from`LOCK TABLE ${from(name)} IN ACCESS EXCLUSIVE MODE`, { discard: true })
  )

const copy = Effect.fnUntraced(function* (
  from: SqlClient.SqlClient,
  store: SqlClient.SqlClient,
  { key, name, write }: Table
) {
  const order = from.csv(key.map((column) => from`${from(column)}`))
  for (let start = 0; ; start += pageSize) {
    const rows = yield* from<Row>`SELECT * FROM ${from(name)} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${start}`
    if (rows.length > 0) yield* store.withTransaction(write(store, rows))
    if (rows.length < pageSize) return
  }
})

const insertInto =
  (table: string): Table["write"] =>
  (store, rows) =>
    Effect.forEach(rows, (row) => store`INSERT INTO ${store(table)} ${store.insert(row)} ON CONFLICT DO NOTHING`, {
      discard: true
    })

/** A request of the first version, which kept only what it did; it is entered in the ledger when it is new here. */
const enter = (store: SqlClient.SqlClient, line: Row) =>
  store`INSERT INTO ledger ${store.insert({ is_repeat: 0, ...line })}`

const writeCharges: Table["write"] = (store, rows) =>
  Effect.forEach(
    rows,
    Effect.fnUntraced(function* (row) {
      // As the first version wrote it, and no other.
      const outcome = JSON.parse(String(row["outcome"])) as { _tag: string; tid: string; code?: string }
      const isCaptured = outcome._tag === "Captured"
      const about = {
        attempt_id: row["attempt_id"] ?? null,
        transaction_id: row["reference"] ?? null,
        value: row["value"] ?? null
      }
      const inserted = yield* store`
        INSERT INTO attempts ${store.insert({
          ...about,
          kind: "charge",
          card: row["card"] ?? null,
          tid: isCaptured ? outcome.tid : null,
          outcome: row["outcome"] ?? null,
          created_at: row["created_at"] ?? null
        })} ON CONFLICT DO NOTHING RETURNING kind`
      if (inserted.length === 0) return
      yield* enter(store, {
        ...about,
        provider: "card operator",
        kind: "charge",
        outcome: outcome._tag,
        code: outcome.code ?? null,
        reference: outcome.tid,
        effect: isCaptured ? "captured" : "none",
        received_at: row["created_at"] ?? null
      })
    }),
    { discard: true }
  )

/** Boletos and Pix charges, which the first version kept without the attempt that asked for them. */
const writeRegistered =
  (table: string, line: Row, reference: string): Table["write"] =>
  (store, rows) =>
    Effect.forEach(
      rows,
      Effect.fnUntraced(function* (row) {
        const inserted = yield* store`
          INSERT INTO ${store(table)} ${store.insert({ ...row })} ON CONFLICT DO NOTHING RETURNING transaction_id`
        if (inserted.length === 0) return
        yield* enter(store, {
          ...line,
          transaction_id: row["transaction_id"] ?? null,
          value: row["value"] ?? null,
          reference: row[reference] ?? null,
          effect: "registered",
          received_at: row["created_at"] ?? null
        })
      }),
      { discard: true }
    )

const bank = { provider: "boleto bank", kind: "register", outcome: "BoletoRegistered" }
const pix = { provider: "Pix provider", kind: "open", outcome: "PixOpened" }

const tables: ReadonlyArray<Table> = [
  { name: "operator_cards", key: ["token"], write: insertInto("cards") },
  { name: "operator_test_cards", key: ["company_id", "name"], write: insertInto("test_cards") },
  { name: "operator_charges", key: ["created_at", "attempt_id"], write: writeCharges },
  { name: "operator_boletos", key: ["transaction_id"], write: writeRegistered("boletos", bank, "barcode") },
  { name: "operator_pix", key: ["transaction_id"], write: writeRegistered("pix_charges", pix, "txid") }
]
