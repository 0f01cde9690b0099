import { assert, describe, it } from "@effect/vitest"
import { CardExpiry, CardData } from "@parcela/core/cards/Card"
import { CardNumber, mask } from "@parcela/core/cards/CardNumber"
import { VaultToken } from "@parcela/core/cards/CardDecider"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { OperatorOutcome } from "@parcela/core/attempts/AttemptOutcome"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { cardOf, suite } from "@parcela/provider-tests/CardOperatorSuite"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import * as SimulatedCardOperator from "../src/SimulatedCardOperator.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"
import { Fault, FaultPlan, layerPlan } from "../src/InjectedFailures.ts"
import { memory, repeatableChance, storeNames, stores } from "./fixtures/Layers.ts"

for (const store of storeNames) {
  suite(
    store,
    SimulatedCardOperator.layer.pipe(Layer.provideMerge(layerPlan), Layer.provide(stores[store])),
    FaultPlan.use((plan) => Effect.orDie(plan.next("charge", Fault.ResponseLost()))),
    FaultPlan.use((plan) => Effect.orDie(plan.next("capture", Fault.Denied({ code: "57", message: "not permitted" }))))
  )
}

const fresh = Effect.provide(
  SimulatedCardOperator.layerNoDeps.pipe(Layer.provide(repeatableChance), Layer.provideMerge(memory)),
  { local: true }
)

const company = CompanyId.make(1)
const tokenize = (card: CardData) => CardOperator.use((operator) => operator.tokenize(company, card))

/** Charges `card` for the transaction; the number is the attempt's name. */
const charge = Effect.fnUntraced(function* (card: VaultToken, transaction: number, attempt: number) {
  const operator = yield* CardOperator
  return yield* operator.charge({
    attemptId: AttemptId.make(`attempt ${attempt}`),
    companyId: company,
    transactionId: SvcPayId.make(transaction),
    at: BusinessTime.make(yield* Clock.currentTimeMillis),
    card,
    value: Cents.make(4_990)
  })
})

const wordOf = (outcome: OperatorOutcome) => (outcome._tag === "Denied" ? outcome.code : outcome._tag)

const chargesOf = Effect.fnUntraced(function* (number: string, transactions: ReadonlyArray<number>) {
  const card = yield* tokenize(cardOf(number))
  const outcomes = yield* Effect.forEach(transactions, (transaction, attempt) => charge(card, transaction, attempt))
  return outcomes.map(wordOf)
})

const rows = (table: string) => SimulatorStore.use((sql) => sql`SELECT * FROM ${sql(table)}`)

describe("test cards", () => {
  it.effect.each([
    { number: "4111111111111111", words: ["Captured", "Captured", "Captured"] },
    { number: "5555555555554444", words: ["Captured", "Captured", "Captured"] },
    { number: "4000000000000002", words: ["51", "51", "51"] },
    { number: "4000000000000341", words: ["51", "Captured", "Captured"] },
    { number: "4000000000000069", words: ["54", "54", "54"] },
    { number: "4000000000009987", words: ["41", "41", "41"] },
    { number: "378282246310005", words: ["Captured", "Captured", "Captured"] },
    { number: "30569309025904", words: ["Captured", "Captured", "Captured"] }
  ])("return $words for three charges of $number", ({ number, words }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chargesOf(number, [7, 7, 7]), words)
    }).pipe(fresh)
  )

  it.effect("deny 4000000000000341 once for each transaction, in any order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chargesOf("4000000000000341", [1, 2, 1, 2, 3]), [
        "51",
        "51",
        "Captured",
        "Captured",
        "51"
      ])
    }).pipe(fresh)
  )

  it.effect("recognize 4000000000000341 as denied before when it is sent again", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* tokenize(cardOf("4000000000000341")), yield* tokenize(cardOf("4000000000000341"))]
      assert.strictEqual(wordOf(yield* charge(first, 1, 1)), "51")
      assert.strictEqual(wordOf(yield* charge(second, 1, 2)), "Captured")
    }).pipe(fresh)
  )

  it.effect("recognize 4000000000000341 as denied before after an injected denial", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4000000000000341"))
      yield* FaultPlan.use((plan) => plan.next("charge", Fault.Denied({ code: "57", message: "not permitted" })))
      assert.strictEqual(wordOf(yield* charge(card, 1, 1)), "57")
      assert.strictEqual(wordOf(yield* charge(card, 1, 2)), "Captured")
    }).pipe(
      Effect.provide(SimulatedCardOperator.layer.pipe(Layer.provideMerge(layerPlan), Layer.provideMerge(memory)), {
        local: true
      })
    )
  )

  it.effect("find by their card only the attempts that a denial may depend on", () =>
    Effect.gen(function* () {
      const numbers = ["4111111111111111", "4000000000000341", "4000000000000002"]
      for (const [attempt, number] of numbers.entries()) {
        yield* charge(yield* tokenize(cardOf(number)), attempt + 1, attempt)
      }
      const counted = (yield* rows("attempts")).map((row) => [row["transaction_id"], row["is_counted"]])
      assert.deepStrictEqual(counted, [
        [1, 0],
        [2, 1],
        [3, 0]
      ])
    }).pipe(fresh)
  )

  it.effect("deny exactly one of several concurrent charges of 4000000000000341", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4000000000000341"))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, attempt) => attempt),
        (attempt) => charge(card, 1, attempt),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Denied").length, 1)
    }).pipe(fresh)
  )

  it.effect("return the denial again for a repeated attempt", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4000000000000341"))
      const outcome = yield* charge(card, 1, 1)
      assert.strictEqual(wordOf(outcome), "51")
      assert.deepStrictEqual(yield* charge(card, 1, 1), outcome)
    }).pipe(fresh)
  )

  it.effect("explain the code of a denial", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4000000000000002"))
      const { tid, ...outcome } = yield* charge(card, 1, 1)
      assert.isNotEmpty(tid)
      assert.deepStrictEqual(outcome, { _tag: "Denied", code: "51", message: "Not enough balance or limit" })
    }).pipe(fresh)
  )
})

describe("cards", () => {
  it.effect("are valid until their last month ends in Brazil, then denied as expired with the brand's own code", () =>
    Effect.gen(function* () {
      const visa = yield* tokenize({ ...cardOf("4111111111111111"), expiresAt: expiry("2026-02") })
      const amex = yield* tokenize({ ...cardOf("378282246310005"), expiresAt: expiry("2026-02") })
      yield* TestClock.setTime(Date.parse("2026-03-01T02:59:59Z"))
      assert.strictEqual(wordOf(yield* charge(visa, 1, 1)), "Captured")
      yield* TestClock.setTime(Date.parse("2026-03-01T03:00:00Z"))
      assert.strictEqual(wordOf(yield* charge(visa, 1, 2)), "54")
      assert.strictEqual(wordOf(yield* charge(amex, 1, 3)), "101")
    }).pipe(fresh)
  )

  it.effect("that are not in the vault are denied, and the attempt is recorded", () =>
    Effect.gen(function* () {
      const outcome = yield* charge(VaultToken.make("card_unknown"), 1, 1)
      assert.strictEqual(wordOf(outcome), "14")
      assert.deepStrictEqual(yield* charge(VaultToken.make("card_unknown"), 1, 1), outcome)
    }).pipe(fresh)
  )

  it.effect("are stored as the same row when they differ only in masked digits, CVV and holder", () =>
    Effect.gen(function* () {
      const [one, other] = ["4716000000004530", "4716000100004520"].map((seed) => sameEnds(seed))
      assert.notStrictEqual(one, other)
      assert.strictEqual(mask(CardNumber.make(one!)), mask(CardNumber.make(other!)))
      const stored = (card: CardData) => tokenize(card).pipe(Effect.andThen(rows("cards")), fresh)
      const second = Schema.decodeUnknownSync(CardData)({
        number: other,
        holder: "Somebody Else",
        expiresAt: "2099-12",
        cvv: "123"
      })
      assert.deepStrictEqual(yield* stored(cardOf(one!)), yield* stored(second))
    })
  )
})

describe("the vault", () => {
  const other = "4716258050958645"
  /** The same database under a process of its own. */
  const restarted = Effect.provide(SimulatedCardOperator.layer, { local: true })

  it.effect(
    "recognizes a test card after a restart, and another number only while it runs, because that is not stored",
    () =>
      Effect.gen(function* () {
        const before = yield* restarted(
          Effect.gen(function* () {
            const keys = [yield* tokenize(cardOf("4111111111111111")), yield* tokenize(cardOf(other))]
            assert.deepStrictEqual([yield* tokenize(cardOf("4111111111111111")), yield* tokenize(cardOf(other))], keys)
            return keys
          })
        )
        yield* restarted(
          Effect.gen(function* () {
            assert.strictEqual(yield* tokenize(cardOf("4111111111111111")), before[0])
            assert.notStrictEqual(yield* tokenize(cardOf(other)), before[1])
            // The earlier key remains valid.
            assert.strictEqual(wordOf(yield* charge(before[1]!, 1, 1)), "Captured")
          })
        )
      }).pipe(Effect.provide(memory, { local: true }))
  )

  it.effect("charges a card by the expiry that was sent last", () =>
    Effect.gen(function* () {
      const ending = (expiresAt: string) => ({ ...cardOf("4111111111111111"), expiresAt: CardExpiry.make(expiresAt) })
      yield* TestClock.setTime(Date.UTC(2026, 10, 15))
      const card = yield* tokenize(ending("2026-10"))
      assert.strictEqual(wordOf(yield* charge(card, 1, 1)), "54")
      assert.strictEqual(yield* tokenize(ending("2030-10")), card)
      assert.strictEqual(wordOf(yield* charge(card, 1, 2)), "Captured")
    }).pipe(fresh)
  )
})

describe("the ledger", () => {
  it.effect("has one row for an attempt, however often it was requested", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4111111111111111"))
      yield* Effect.all(
        Array.from({ length: 8 }, () => charge(card, 1, 1)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* rows("attempts")).length, 1)
    }).pipe(fresh)
  )

  it.effect("survives a second operator over the same store", () =>
    Effect.gen(function* () {
      const card = yield* tokenize(cardOf("4000000000000341"))
      yield* charge(card, 1, 1)
      const again = SimulatedCardOperator.layer
      const outcome = yield* charge(card, 1, 2).pipe(Effect.provide(again, { local: true }))
      assert.strictEqual(wordOf(outcome), "Captured")
    }).pipe(fresh)
  )

  it.effect("is the same for the same random numbers and times", () =>
    Effect.gen(function* () {
      const story = chargesAndRows.pipe(fresh)
      assert.deepStrictEqual(yield* story, yield* story)
    })
  )

  it.effect("refuses to join the caller's transaction, which could roll it back", () =>
    Effect.gen(function* () {
      for (const sql of [yield* SimulatorStore, yield* SqlClient.SqlClient]) {
        const cause = yield* Effect.flip(Effect.sandbox(sql.withTransaction(tokenize(cardOf("4111111111111111")))))
        assert.include(inspect(cause), "commit it first")
      }
      assert.deepStrictEqual(yield* rows("cards"), [])
      assert.deepStrictEqual(yield* rows("ledger"), [])
    }).pipe(fresh, Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" }), { local: true }))
  )

  it.effect("reports nothing of the card when it cannot write", () =>
    Effect.gen(function* () {
      const sql = yield* SimulatorStore
      yield* sql`DROP TABLE cards`
      const error = yield* Effect.flip(tokenize(cardOf("4111111111111111")))
      assert.strictEqual(error._tag, "ProviderError")
      assert.notMatch(inspect(error, { depth: 20, showHidden: true }), /4111111111111111|9517/)
    }).pipe(fresh)
  )
})

const expiry = (text: string) => Schema.decodeUnknownSync(CardData.fields.expiresAt)(text)

/** A number like `seed`, with the 9th digit chosen so that the valid check digit and both ends stay. */
const sameEnds = (seed: string): string =>
  Array.from({ length: 10 }, (_, digit) => `${seed.slice(0, 8)}${digit}${seed.slice(9, 12)}4539`).find((number) =>
    Schema.is(CardNumber)(number)
  )!

const chargesAndRows = Effect.gen(function* () {
  yield* chargesOf("4000000000000341", [1, 1, 2])
  return [yield* rows("cards"), yield* rows("attempts"), yield* rows("ledger")]
})
