import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { cardOf } from "@parcela/provider-tests/CardOperatorSuite"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as Vault from "../../src/internal/CardVault.ts"
import * as Transaction from "../../src/StoreTransactions.ts"
import { SimulatorStore } from "../../src/SimulatorStore.ts"

const inMemory = Effect.provide(
  Layer.mergeAll(
    SimulatorStore.layer.pipe(Layer.provide(NodeSqliteClient.layer({ filename: ":memory:" }))),
    SecureRandom.layerWebCrypto
  )
)

describe("a card in the vault", () => {
  // The first is a test card, the second is not.
  it.effect.each(["4111111111111111", "4242424242424242"])("%s is new until it is committed", (number) =>
    Effect.gen(function* () {
      const { transact } = yield* SimulatorStore
      const vault = yield* Vault.make
      const tokenize = vault.tokenize(CompanyId.make(1), cardOf(number)).pipe(
        Effect.flatMap((work) => transact(() => work(0))),
        Effect.map(({ isRepeat, response }) => ({ isNew: !isRepeat, token: response }))
      )
      // A request that shares the commit fails: the same work is done again.
      const failing = Effect.exit(
        transact(function* () {
          yield* Transaction.write("DELETE FROM cards")
          throw new Error("undone")
        })
      )
      const [{ isNew, token }] = yield* Effect.all([tokenize, failing], { concurrency: "unbounded" })
      assert.isTrue(isNew)
      assert.deepStrictEqual(yield* tokenize, { isNew: false, token })
    }).pipe(inMemory)
  )
})
