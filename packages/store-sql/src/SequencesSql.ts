/**
 * Identifiers from the database, in blocks: a process takes a hundred at once and gives them out from memory, so that
 * no writer waits for another's commit to get a number.
 *
 * **Details**
 *
 * On PostgreSQL a block is one value of a sequence. On SQLite it is a row that a statement of its own changes, and has more
 * identifiers where many waited for the last one.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Sequences, type SequenceName } from "@parcela/engine/ports/Sequences"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Spans from "@parcela/engine/Spans"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { blockSize, sequenceOf } from "./internal/Sequence.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Columns.integer(SvcPayId) })]))

/** The most identifiers of a block on SQLite, and how many it has for each that waited for the last one: they come again. */
const largestBlock = 1_000
const forEachWaiting = 8

/** What is left of a block of identifiers, from `next` to `last`, and the end of taking another one, which all who wait share. */
interface Block {
  next: number
  last: number
  /** How many wait for the one that is being taken, or waited for the last one. */
  waiting: number
  taking: Deferred.Deferred<void, StoreError> | undefined
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
    const blocks = new Map<SequenceName, Block>()

    const blockOf = (name: SequenceName): Block => {
      const block = blocks.get(name) ?? { next: 1, last: 0, waiting: 0, taking: undefined }
      blocks.set(name, block)
      return block
    }

    const mostAtOnce = sql.onDialectOrElse({ pg: () => blockSize, orElse: () => largestBlock })

    /** The first number of a new block. */
    const allocate = (name: SequenceName, size: number) =>
      sql.onDialectOrElse({
        pg: () => sql`SELECT nextval(${`"${sequenceOf(name)}"`}::regclass) AS value`,
        orElse: () => sql`
          INSERT INTO sequences (name, value) VALUES (${name}, ${size})
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + ${size} RETURNING value - ${size - 1} AS value
        `
      })

    /** Takes a new block: one for all who ask meanwhile, as each would have one of its own, and a commit for it. */
    const refill = (name: SequenceName, block: Block): Effect.Effect<void, StoreError> =>
      // Others wait for the one that takes it: from the moment on at which they do it cannot be interrupted.
      Effect.uninterruptibleMask((restore) => {
        if (block.taking !== undefined) {
          block.waiting += 1
          return restore(Deferred.await(block.taking))
        }
        if (block.next <= block.last) return Effect.void
        const size = Math.min(Math.max(blockSize, forEachWaiting * block.waiting), mostAtOnce)
        block.waiting = 0
        const taking = (block.taking = Deferred.makeUnsafe<void, StoreError>())
        const taken = Effect.map(Effect.flatMap(allocate(name, size), decodeRows), ([{ value }]) => {
          block.next = value
          block.last = value + size - 1
        })
        return taken.pipe(
          storeErrors,
          Effect.onExit((exit) => {
            block.taking = undefined
            return Deferred.done(taking, exit)
          })
        )
      })

    const next = (name: SequenceName): Effect.Effect<SvcPayId, StoreError> => {
      const block = blockOf(name)
      return block.next <= block.last
        ? Effect.succeed(SvcPayId.make(block.next++))
        : Effect.flatMap(refill(name, block), () => next(name))
    }

    return Sequences.of({ next: Spans.fn("Sequences.next")(next) })
  })
)
