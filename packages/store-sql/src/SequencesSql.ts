/**
 * Identifiers from the database, in blocks: a process takes a hundred at once and gives them out from memory, so that
 * no writer waits for another's commit to get a number.
 *
 * **Details**
 *
 * On PostgreSQL a block is one value of a sequence. On SQLite it is a row that a statement of its own changes.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Sequences, type SequenceName } from "@parcela/engine/ports/Sequences"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { blockSize, sequenceOf } from "./internal/Sequence.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Columns.integer(SvcPayId) })]))

/** What is left of a block of identifiers: from `next` to `last`. */
interface Block {
  next: number
  readonly last: number
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Sequences, never, SqlClient.SqlClient> = Layer.effect(
  Sequences,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("sequences"))
    const blocks = new Map<string, Block>()

    /** The first number of a new block. */
    const allocate = (name: SequenceName) =>
      sql.onDialectOrElse({
        pg: () => sql`SELECT nextval(${`"${sequenceOf(name)}"`}::regclass) AS value`,
        orElse: () => sql`
          INSERT INTO sequences (name, value) VALUES (${name}, ${blockSize})
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + ${blockSize} RETURNING value - ${blockSize - 1} AS value
        `
      })

    return Sequences.of({
      next: Spans.fn("Sequences.next")(function* (name: SequenceName) {
        const left = blocks.get(name)
        if (left !== undefined && left.next <= left.last) return SvcPayId.make(left.next++)
        const [{ value }] = yield* decodeRows(yield* allocate(name))
        const last = value + blockSize - 1
        // Of two that were taken at once the later is kept: numbers rise.
        if ((blocks.get(name)?.last ?? 0) < last) blocks.set(name, { next: value + 1, last })
        return value
      }, storeErrors)
    })
  })
)
