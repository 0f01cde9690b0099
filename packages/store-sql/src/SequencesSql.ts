/**
 * Identifiers in blocks. A process takes a block from the database and assigns its identifiers from memory, so that no writer waits for the
 * commit of another one. On PostgreSQL a block is a value of a sequence; on SQLite it is a row, which a statement of its own updates.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/values/Identifier"
import { type SequenceName, Sequences } from "@parcela/engine/ports/Sequences"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Spans from "@parcela/engine/Spans"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./sql/Columns.ts"
import { toStoreError } from "./sql/StoreErrors.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Columns.integer(SvcPayId) })]))

/** The unassigned identifiers of a block. `taking` is the next block, for which all callers wait. */
interface Block {
  next: number
  last: number
  taking: Deferred.Deferred<void, StoreError> | undefined
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Sequences, never, SqlClient.SqlClient> = Layer.effect(
  Sequences,
  Effect.gen(function* () {
    const allocate = allocateIn(yield* SqlClient.SqlClient)
    const blocks = new Map<SequenceName, Block>()

    const next = (name: SequenceName): Effect.Effect<SvcPayId, StoreError> =>
      Effect.suspend(() => {
        const block = blocks.get(name) ?? { next: 1, last: 0, taking: undefined }
        blocks.set(name, block)
        if (block.next > block.last) return Effect.flatMap(take(allocate(name), block), () => next(name))
        // The first identifier of the block was decoded by its schema, and a state is checked when it is encoded.
        return Effect.succeed(block.next++ as SvcPayId)
      })

    return Sequences.of({ next: Spans.fn("Sequences.next")(next) })
  })
)

/** The first identifier of a new block. */
const allocateIn =
  (sql: SqlClient.SqlClient) =>
  (name: SequenceName): Effect.Effect<number, StoreError> =>
    sql
      .onDialectOrElse({
        pg: () => sql`SELECT nextval(${`"${sequenceOf(name)}"`}::regclass) AS value`,
        orElse: () => sql`
          INSERT INTO sequences (name, value) VALUES (${name}, ${blockSize})
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + ${blockSize}
          RETURNING value - ${blockSize - 1} AS value
        `
      })
      .pipe(
        Effect.flatMap(decodeRows),
        Effect.map(([{ value }]) => value),
        Effect.mapError(toStoreError("sequences"))
      )

/** Takes a new block, which all concurrent callers share. */
const take = (allocate: Effect.Effect<number, StoreError>, block: Block): Effect.Effect<void, StoreError> =>
  // Other callers wait for the caller that takes the block, so that caller cannot be interrupted.
  Effect.uninterruptibleMask((restore) => {
    if (block.taking !== undefined) return restore(Deferred.await(block.taking))
    const taking = (block.taking = Deferred.makeUnsafe<void, StoreError>())
    const taken = Effect.map(allocate, (value) => {
      block.next = value
      block.last = value + blockSize - 1
    })
    return Effect.onExit(taken, (exit) => {
      block.taking = undefined
      return Deferred.done(taking, exit)
    })
  })

/**
 * The identifiers of a block. When a process ends, the rest of its block is never assigned.
 *
 * @category constants
 * @since 0.1.0
 */
export const blockSize = 1_000

/**
 * The name of the PostgreSQL sequence of a kind.
 *
 * @category conversions
 * @since 0.1.0
 */
export const sequenceOf = (kind: SequenceName): string => `${kind}_ids`
