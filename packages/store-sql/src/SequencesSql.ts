/**
 * Identifiers from the database, in blocks: a process takes a hundred at once and gives them out from memory, so that
 * no writer waits for another's commit to get a number.
 *
 * **Details**
 *
 * On PostgreSQL a block is one value of a sequence, which no rollback takes back. On SQLite it is a row that the open
 * unit changes: an undone unit gives its block back, so the rest of a block is used once the unit is committed.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Sequences, type SequenceName } from "@parcela/engine/ports/Sequences"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { blockSize, sequenceOf } from "./internal/Sequence.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import { type Block, CurrentUnit } from "./internal/Unit.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Columns.integer(SvcPayId) })]))

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
    const isUndoneWithUnit = sql.onDialectOrElse({ pg: () => false, orElse: () => true })

    /** The first number of a new block. */
    const allocate = (name: SequenceName) =>
      sql.onDialectOrElse({
        pg: () => sql`SELECT nextval(${`"${sequenceOf(name)}"`}::regclass) AS value`,
        orElse: () => sql`
          INSERT INTO sequences (name, value) VALUES (${name}, ${blockSize})
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + ${blockSize} RETURNING value - ${blockSize - 1} AS value
        `
      })

    const taken = (from: ReadonlyMap<string, Block> | undefined, name: SequenceName): SvcPayId | undefined => {
      const block = from?.get(name)
      return block === undefined || block.next > block.last ? undefined : SvcPayId.make(block.next++)
    }

    /** Makes a block the process's own. Of two that were taken at once the later is kept: numbers rise. */
    const keep = (name: SequenceName, block: Block) =>
      Effect.sync(() => {
        const known = blocks.get(name)
        if (known === undefined || known.last < block.last) blocks.set(name, block)
      })

    return Sequences.of({
      next: Effect.fn("Sequences.next")(function* (name: SequenceName) {
        const unit = yield* CurrentUnit
        const left = taken(unit?.blocks, name) ?? taken(blocks, name)
        if (left !== undefined) return left
        const [{ value }] = yield* decodeRows(yield* allocate(name))
        const block: Block = { next: value + 1, last: value + blockSize - 1 }
        if (isUndoneWithUnit) {
          unit?.blocks.set(name, block)
          yield* sql.afterCommit(keep(name, block))
        } else yield* keep(name, block)
        return value
      }, storeErrors)
    })
  })
)
