import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { cardOf } from "@parcela/testing/CardOperatorSuite"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as Vault from "../../src/internal/Vault.ts"
import { SimulatorStore } from "../../src/SimulatorStore.ts"

const inMemory = Effect.provide(
  Layer.mergeAll(
    SimulatorStore.layer.pipe(Layer.provide(NodeSqliteClient.layer({ filename: ":memory:" }))),
    SecureRandom.layerWebCrypto
  )
)

describe("a card in the vault", () => {
  // The first is a test card, the second is none.
  it.effect.each(["4111111111111111", "4242424242424242"])(
    "%s is new until it is committed, and then no more",
    (number) =>
      Effect.gen(function* () {
        const sql = yield* SimulatorStore
        const vault = yield* Vault.make
        const tokenize = vault.tokenize(CompanyId.make(1), cardOf(number)).pipe(
          Effect.flatMap((work) => sql.withTransaction(work(0))),
          Effect.map(({ isRepeat, response }) => ({ isNew: !isRepeat, token: response }))
        )
        const undone = Effect.andThen(tokenize, Effect.fail("undone"))
        assert.strictEqual(yield* Effect.flip(sql.withTransaction(undone)), "undone")
        const { isNew, token } = yield* tokenize
        assert.isTrue(isNew)
        assert.deepStrictEqual(yield* tokenize, { isNew: false, token })
      }).pipe(inMemory)
  )
})
