/**
 * Identifiers from the database, in blocks: a process takes a hundred at once and gives them out from memory, so that
 * no writer waits for another's commit to get a number.
 *
 * **Details**
 *
 * On PostgreSQL a block is one value of a sequence. On SQLite it is a row that a statement of its own changes, and has more
 * identifiers where many waited for the last one. When half of a block is given out the next one is taken beside what goes on: who
 * comes after the last identifier of a block would wait for a commit, and what it writes for another one.
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

/** Identifiers from `next` to `last` that were not given out. */
interface Block {
  next: number
  last: number
}

/** What is left of a block, the one after it, and the end of taking one, which all who wait share. */
interface Blocks extends Block {
  following: Block | undefined
  /** How many identifiers the block had, and whether the one after it was asked for. */
  size: number
  isFollowed: boolean
  /** How many wait for the one that is being taken, or waited for the last one. */
  waiting: number
  taking: Deferred.Deferred<void, StoreError> | undefined
}

/** What takes blocks from the database. */
interface Source {
  /** The first number of a new block of a size. */
  readonly allocate: (name: SequenceName, size: number) => Effect.Effect<number, StoreError>
  /** The most identifiers of a block. */
  readonly mostAtOnce: number
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Sequences, never, SqlClient.SqlClient> = Layer.effect(
  Sequences,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const source = sourceIn(sql)
    const all = new Map<SequenceName, Blocks>()

    const next = (name: SequenceName): Effect.Effect<SvcPayId, StoreError> => {
      const blocks = all.get(name) ?? noBlocks()
      all.set(name, blocks)
      if (blocks.next > blocks.last) {
        if (blocks.following === undefined) return Effect.flatMap(take(source, name, blocks), () => next(name))
        begin(blocks, blocks.following)
      }
      // The block's first was read as one, and a state is checked when it is written.
      const id = blocks.next++ as SvcPayId
      if (blocks.isFollowed || blocks.last - blocks.next >= blocks.size / 2) return Effect.succeed(id)
      blocks.isFollowed = true
      // Where it fails, who needs the block takes it, and fails with what is wrong.
      return Effect.as(Effect.forkIn(Effect.ignore(take(source, name, blocks)), scope), id)
    }

    return Sequences.of({ next: Spans.fn("Sequences.next")(next) })
  })
)

const sourceIn = (sql: SqlClient.SqlClient): Source => ({
  allocate: (name, size) =>
    sql
      .onDialectOrElse({
        pg: () => sql`SELECT nextval(${`"${sequenceOf(name)}"`}::regclass) AS value`,
        orElse: () => sql`
          INSERT INTO sequences (name, value) VALUES (${name}, ${size})
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + ${size} RETURNING value - ${size - 1} AS value
        `
      })
      .pipe(
        Effect.flatMap(decodeRows),
        Effect.map(([{ value }]) => value),
        Effect.mapError(toStoreError("sequences"))
      ),
  mostAtOnce: sql.onDialectOrElse({ pg: () => blockSize, orElse: () => largestBlock })
})

const noBlocks = (): Blocks => ({
  next: 1,
  last: 0,
  following: undefined,
  size: 0,
  isFollowed: false,
  waiting: 0,
  taking: undefined
})

const begin = (blocks: Blocks, { last, next }: Block): void => {
  blocks.next = next
  blocks.last = last
  blocks.size = last - next + 1
  blocks.following = undefined
  blocks.isFollowed = false
}

/** Takes a new block: one for all who ask meanwhile, as each would have one of its own, and a commit for it. */
const take = ({ allocate, mostAtOnce }: Source, name: SequenceName, blocks: Blocks): Effect.Effect<void, StoreError> =>
  // Others wait for the one that takes it: from the moment on at which they do it cannot be interrupted.
  Effect.uninterruptibleMask((restore) => {
    if (blocks.taking !== undefined) {
      blocks.waiting += 1
      return restore(Deferred.await(blocks.taking))
    }
    if (blocks.following !== undefined) return Effect.void
    const size = Math.min(Math.max(blockSize, forEachWaiting * blocks.waiting), mostAtOnce)
    blocks.waiting = 0
    const taking = (blocks.taking = Deferred.makeUnsafe<void, StoreError>())
    const taken = Effect.map(allocate(name, size), (value) => {
      blocks.following = { next: value, last: value + size - 1 }
    })
    return Effect.onExit(taken, (exit) => {
      blocks.taking = undefined
      return Deferred.done(taking, exit)
    })
  })
