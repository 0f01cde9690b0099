/** Tests of the port `AccessTokens`. */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { Scope } from "@parcela/core/companies/Scope"
import { AccessTokens } from "@parcela/engine/ports/AccessTokens"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { normalized } from "./fixtures/Arbitraries.ts"
import { conflictOf, storedCompany, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const hashOf = (number: number) => number.toString(16).padStart(64, "0")

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`AccessTokens (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Tokens that expire a minute after another, from minute 0. */
    const storedTokens = Effect.fnUntraced(function* (count: number) {
      const tokens = yield* AccessTokens
      const company = yield* storedCompany
      const rows = Array.from({ length: count }, (_, index) => ({
        hash: hashOf(index),
        companyId: company.id,
        clientId: "5473",
        scopes: [],
        expiresAt: minute(index)
      }))
      // The last to expire is the first to come.
      yield* Effect.forEach(rows.toReversed(), tokens.insert)
      return { company, tokens, rows }
    })

    const remaining = Effect.fnUntraced(function* (count: number) {
      const tokens = yield* AccessTokens
      const found = yield* Effect.forEach(Arr.range(0, count - 1), (index) => tokens.find(hashOf(index)))
      return found.flatMap((one, index) => (Option.isSome(one) ? [index] : []))
    })

    withLayer(layer)("with any token", (it) => {
      const rows = normalized(
        Schema.Struct({
          clientId: Schema.Literals(["5473", "ana"]),
          scopes: Schema.Array(Scope),
          expiresAt: MachineTime
        })
      )
      let number = 0
      it.effect.prop("returns what was inserted with its company, expired or not", [rows], ([row]) =>
        Effect.gen(function* () {
          const tokens = yield* AccessTokens
          const company = yield* storedCompany
          const token = { ...row, companyId: company.id, hash: hashOf(number++) }
          yield* tokens.insert(token)
          assert.deepStrictEqual(yield* tokens.find(token.hash), Option.some({ token, company }))
        })
      )
    })

    it.effect("returns nothing for a hash that it does not have", () =>
      Effect.gen(function* () {
        const { tokens } = yield* storedTokens(1)
        assert.deepStrictEqual(yield* tokens.find(hashOf(1)), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("stores a hash once, for all companies", () =>
      Effect.gen(function* () {
        const { company, rows, tokens } = yield* storedTokens(1)
        const other = yield* storedCompany
        const again = tokens.insert({ ...rows[0]!, companyId: other.id })
        assert.strictEqual(yield* conflictOf(again), "access_tokens.hash")
        assert.deepStrictEqual(yield* tokens.find(hashOf(0)), Option.some({ token: rows[0]!, company }))
      }).pipe(onEmpty)
    )

    it.effect("deletes the tokens that expired before the given time, and no others", () =>
      Effect.gen(function* () {
        const { tokens } = yield* storedTokens(6)
        assert.strictEqual(yield* tokens.deleteExpired(minute(3), 100), 3)
        assert.deepStrictEqual(yield* remaining(6), [3, 4, 5])
        assert.strictEqual(yield* tokens.deleteExpired(minute(3), 100), 0)
      }).pipe(onEmpty)
    )

    it.effect("deletes at most the given number of tokens, those that expired first before others", () =>
      Effect.gen(function* () {
        const { tokens } = yield* storedTokens(6)
        assert.strictEqual(yield* tokens.deleteExpired(minute(5), 2), 2)
        assert.deepStrictEqual(yield* remaining(6), [2, 3, 4, 5])
        assert.strictEqual(yield* tokens.deleteExpired(minute(5), 2), 2)
        assert.strictEqual(yield* tokens.deleteExpired(minute(5), 2), 1)
        assert.deepStrictEqual(yield* remaining(6), [5])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
