/**
 * What every adapter of the port `IdempotencyKeys` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKeys, type KeyedRequest } from "@parcela/engine/IdempotencyKeys"
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import * as Effect from "effect/Effect"
import { conflictOf } from "./internal/Failures.ts"
import { keptCompany, minute, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const fresh = { _tag: "Fresh" } as const
const running = { _tag: "Running" } as const
const otherRequest = { _tag: "OtherRequest" } as const
const written = { _tag: "Written", subject: "transaction:7" } as const
const answer = { status: 200, body: `{"type":true,"name":"João 🎈"}` }
const answered = { _tag: "Answered", answer } as const

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`IdempotencyKeys (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** A key that was claimed at minute 0 until minute 5. */
    const claimed = Effect.gen(function* () {
      const keys = yield* IdempotencyKeys
      const { id: companyId } = yield* keptCompany
      const request: KeyedRequest = { companyId, key: "k", fingerprint: "f" }
      const claim = (at: number, changes: Partial<KeyedRequest> = {}) =>
        keys.claim({ ...request, ...changes }, minute(at), minute(at + 5))
      assert.deepStrictEqual(yield* claim(0), fresh)
      return {
        claim,
        companyId,
        noteWritten: keys.noteWritten(companyId, "k", written.subject),
        answer: keys.answer(companyId, "k", answer),
        release: keys.release(companyId, "k", minute(5)),
        keys
      }
    })

    it.effect("is running for a repeat until the claim ends, and fresh once from then on", () =>
      Effect.gen(function* () {
        const { claim } = yield* claimed
        assert.deepStrictEqual(yield* claim(1), running)
        assert.deepStrictEqual(yield* claim(4), running)
        assert.deepStrictEqual(yield* claim(5), fresh)
        assert.deepStrictEqual(yield* claim(9), running)
      }).pipe(onEmpty)
    )

    it.effect("is fresh for one of many that claim at once", () =>
      Effect.gen(function* () {
        const { claim } = yield* claimed
        for (const at of [0, 5]) {
          const states = yield* Effect.all(
            Array.from({ length: 10 }, () => claim(at, { key: "contended" })),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(
            states.filter(({ _tag }) => _tag === "Fresh"),
            1
          )
          assert.lengthOf(
            states.filter(({ _tag }) => _tag === "Running"),
            9
          )
        }
      }).pipe(onEmpty)
    )

    it.effect("is each company's own, and differs by case", () =>
      Effect.gen(function* () {
        const { claim } = yield* claimed
        const other = yield* keptCompany
        assert.deepStrictEqual(yield* claim(0, { companyId: other.id }), fresh)
        assert.deepStrictEqual(yield* claim(0, { key: "K" }), fresh)
      }).pipe(onEmpty)
    )

    it.effect("written and not answered: running while the claim lasts, then written for every repeat", () =>
      Effect.gen(function* () {
        const { claim, noteWritten } = yield* claimed
        yield* noteWritten
        assert.deepStrictEqual(yield* claim(4), running)
        assert.deepStrictEqual(yield* claim(5), written)
        assert.deepStrictEqual(yield* claim(5_000), written)
      }).pipe(onEmpty)
    )

    it.effect("answered: the answer for every repeat, at once and for good", () =>
      Effect.gen(function* () {
        const { answer, claim, noteWritten } = yield* claimed
        yield* noteWritten
        yield* answer
        assert.deepStrictEqual(yield* claim(1), answered)
        assert.deepStrictEqual(yield* claim(5_000), answered)
      }).pipe(onEmpty)
    )

    it.effect("answered without a write, such as a refusal: the answer too", () =>
      Effect.gen(function* () {
        const { answer, claim } = yield* claimed
        yield* answer
        assert.deepStrictEqual(yield* claim(5_000), answered)
      }).pipe(onEmpty)
    )

    it.effect("with another request: refused in every state", () =>
      Effect.gen(function* () {
        const { answer, claim, noteWritten } = yield* claimed
        const other = (at: number) => claim(at, { fingerprint: "other" })
        assert.deepStrictEqual(yield* other(1), otherRequest)
        assert.deepStrictEqual(yield* other(6), otherRequest)
        yield* noteWritten
        assert.deepStrictEqual(yield* other(6), otherRequest)
        yield* answer
        assert.deepStrictEqual(yield* other(6), otherRequest)
        assert.deepStrictEqual(yield* claim(6), answered)
      }).pipe(onEmpty)
    )

    it.effect("given back: fresh again, for any request", () =>
      Effect.gen(function* () {
        const { claim, release } = yield* claimed
        yield* release
        assert.deepStrictEqual(yield* claim(1, { fingerprint: "other" }), fresh)
      }).pipe(onEmpty)
    )

    it.effect("given back after it wrote: written for the next request at once, and never fresh", () =>
      Effect.gen(function* () {
        const { claim, noteWritten, release } = yield* claimed
        yield* noteWritten
        assert.deepStrictEqual(yield* claim(1), running)
        yield* release
        assert.deepStrictEqual(yield* claim(1), written)
        assert.deepStrictEqual(yield* claim(6), written)
      }).pipe(onEmpty)
    )

    it.effect("cannot be given back once it was answered", () =>
      Effect.gen(function* () {
        const { answer, claim, noteWritten, release } = yield* claimed
        yield* noteWritten
        yield* answer
        yield* release
        assert.deepStrictEqual(yield* claim(1), answered)
      }).pipe(onEmpty)
    )

    it.effect("taken over because the first was slow: the first can neither give it back nor free it", () =>
      Effect.gen(function* () {
        const { claim, noteWritten, release } = yield* claimed
        assert.deepStrictEqual(yield* claim(5), fresh)
        yield* release
        assert.deepStrictEqual(yield* claim(6), running)
        yield* noteWritten
        yield* release
        assert.deepStrictEqual(yield* claim(6), running)
      }).pipe(onEmpty)
    )

    it.effect("keeps the first answer", () =>
      Effect.gen(function* () {
        const { answer, claim, companyId, keys } = yield* claimed
        yield* answer
        yield* keys.answer(companyId, "k", { status: 500, body: "" })
        assert.deepStrictEqual(yield* claim(1), answered)
      }).pipe(onEmpty)
    )

    it.effect("a write that is undone was not made", () =>
      Effect.gen(function* () {
        const { claim, noteWritten } = yield* claimed
        const unitOfWork = yield* UnitOfWork
        yield* Effect.flip(unitOfWork.transact(Effect.andThen(noteWritten, Effect.fail("undone"))))
        assert.deepStrictEqual(yield* claim(5), fresh)
      }).pipe(onEmpty)
    )

    it.effect("writes once: of two that hold the key because the first was slow, the second to write is undone", () =>
      Effect.gen(function* () {
        const { claim, companyId, keys, noteWritten } = yield* claimed
        assert.deepStrictEqual(yield* claim(5), fresh)
        yield* noteWritten
        const second = keys.noteWritten(companyId, "k", "transaction:8")
        assert.strictEqual(yield* conflictOf(second), "idempotency_keys.subject")
        assert.deepStrictEqual(yield* claim(10), written)
      }).pipe(onEmpty)
    )

    it.effect("writes nothing under a key that nobody holds", () =>
      Effect.gen(function* () {
        const { noteWritten, release } = yield* claimed
        yield* release
        assert.strictEqual(yield* conflictOf(noteWritten), "idempotency_keys.subject")
      }).pipe(onEmpty)
    )
  })
