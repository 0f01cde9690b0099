/** Tests of idempotency keys in a `CommandStore`. */
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import type { KeyWrite } from "@parcela/engine/command/WriteSet"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { KeyName } from "@parcela/engine/command/IdempotencyKey"
import { Effect, Result } from "effect"
import { storedCompany, storedTransaction, onEmptyStore } from "../fixtures/StoreFixtures.ts"
import {
  writes,
  storedPayment,
  keyOf,
  storedKey,
  type OnEmpty,
  countedIn,
  paymentsIn
} from "../fixtures/CommandStoreFixtures.ts"

/** Keys are loaded with the root, and written with what was decided. */
const keys = (onEmpty: OnEmpty): void => {
  /** A command that writes nothing but a key. */
  const writingKey = Effect.fnUntraced(function* (companyId: CompanyId, key: KeyWrite) {
    const store = yield* CommandStore
    const make = yield* writes
    yield* store.run({
      load: "company",
      args: { companyId },
      decide: ({ found }) => Result.succeed({ value: undefined, writes: make({}, found!, key) })
    })
  })
  const keyRow = (name: KeyName) => Effect.map(look("company", { companyId: name.companyId }, name), ({ key }) => key)

  it.effect("is loaded with the root, for its own company only", () =>
    Effect.gen(function* () {
      const { id: companyId } = yield* storedCompany
      const { id: other } = yield* storedCompany
      assert.isUndefined(yield* keyRow(keyOf(companyId)))
      yield* writingKey(companyId, storedKey(keyOf(companyId)))
      const row = { fingerprint: "f", subject: "transaction:1", response: undefined }
      assert.deepStrictEqual(yield* keyRow(keyOf(companyId)), row)
      // The fingerprint is compared by the command, not by the load.
      assert.deepStrictEqual(yield* keyRow(keyOf(companyId, "another")), row)
      assert.isUndefined(yield* keyRow(keyOf(other)))
    }).pipe(onEmpty)
  )

  it.effect("of two concurrent commands is stored by one and found by the other", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { companyId } = yield* storedPayment
      const make = yield* writes
      const roots = yield* Effect.all(Array.from({ length: 4 }, () => storedTransaction(companyId)))
      const key = keyOf(companyId)
      const outcomes = yield* Effect.forEach(
        roots,
        ({ id }) =>
          store.run({
            load: "payment",
            args: { companyId, transaction: bySvcPayId(id) },
            key,
            decide: (loaded) => {
              if (loaded.key !== undefined) return Result.succeed({ value: loaded.key.subject, writes: undefined })
              const found = loaded.found!
              const subject = `transaction:${id}`
              const set = make({ guards: [found.guard], changes: [countedIn(found)] }, found, storedKey(key, subject))
              return Result.succeed({ value: subject, writes: set })
            }
          }),
        { concurrency: "unbounded" }
      )
      const { subject } = (yield* keyRow(key))!
      assert.deepStrictEqual(
        outcomes.map(({ value }) => value),
        roots.map(() => subject)
      )
      const counts = yield* Effect.forEach(roots, ({ id }) =>
        Effect.map(look("payment", { companyId, transaction: bySvcPayId(id) }), ({ found }) => paymentsIn(found)!)
      )
      assert.deepStrictEqual(
        counts.toSorted((a, b) => a - b),
        [0, 0, 0, 1]
      )
    }).pipe(onEmpty)
  )

  it.effect("retains its first response", () =>
    Effect.gen(function* () {
      const { id: companyId } = yield* storedCompany
      const key = keyOf(companyId)
      const first = { status: 200, body: "first" }
      yield* writingKey(companyId, storedKey(key))
      yield* writingKey(companyId, { _tag: "Respond", name: key, response: first })
      yield* writingKey(companyId, { _tag: "Respond", name: key, response: { status: 200, body: "second" } })
      assert.deepStrictEqual((yield* keyRow(key))?.response, first)
    }).pipe(onEmpty)
  )
}

forEachStore((name, layer) =>
  describe(`a key (${name})`, () => {
    keys(onEmptyStore(layer))
  })
)
