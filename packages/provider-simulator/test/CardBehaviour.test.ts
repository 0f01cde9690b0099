import { assert, describe, it } from "@effect/vitest"
import type { VaultToken } from "@parcela/core/cards/CardDecider"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { cardOf } from "@parcela/provider-tests/CardOperatorSuite"
import { Duration, Effect, Layer, Option } from "effect"
import { ProviderLedger } from "../src/ProviderLedger.ts"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { testCards } from "../src/TestCards.ts"
import { storeNames, stores } from "./fixtures/Layers.ts"

const companyId = CompanyId.make(1)
const day = Duration.toMillis(Duration.days(1))
const start = Date.UTC(2026, 2, 10)

/** The number of the card of that name. */
const named = (name: string) => testCards.find((card) => card.name === name)!.number

const tokenize = (name: string) => CardOperator.use((operator) => operator.tokenize(companyId, cardOf(named(name))))

/** Charges R$ 49,90 at a time after the start; each attempt is named by its number. */
const charge = (card: VaultToken, attempt: number, at = start, preAuthorize = false) =>
  CardOperator.use((operator) =>
    operator.charge({
      attemptId: AttemptId.make(`attempt ${attempt}`),
      companyId,
      transactionId: SvcPayId.make(1),
      at: BusinessTime.make(at),
      card,
      value: Cents.make(4_990),
      preAuthorize
    })
  )

const about = { attemptId: AttemptId.make("attempt 1"), companyId }
const lookup = CardOperator.use((operator) => operator.lookup(about))

const ledger = Effect.gen(function* () {
  const entries = yield* (yield* ProviderLedger).all({})
  return entries.filter(({ call }) => call !== "tokenize").map(({ effect, fault }) => [effect, fault])
})

describe.each(storeNames)("test cards on %s", (store) => {
  const fresh = Effect.provide(ProviderSimulator.layer().pipe(Layer.provide(stores[store])), { local: true })

  it.effect("are denied with the code of the table, in the wording of their brand", () =>
    Effect.gen(function* () {
      const denied = yield* charge(yield* tokenize("amex 121"), 1)
      assert.deepInclude(denied, { _tag: "Denied", code: "121", message: "Not enough balance or limit" })
      const advised = yield* charge(yield* tokenize("mastercard 79, advice 03"), 2)
      assert.deepInclude(advised, { _tag: "Denied", code: "79", merchantAdviceCode: "03" })
      assert.deepStrictEqual(yield* charge(yield* tokenize("mastercard 79, advice 03"), 2), advised)
    }).pipe(fresh)
  )

  it.effect("are only authorized, also if a capture was requested", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* charge(yield* tokenize("authorized only"), 1))._tag, "Authorized")
      assert.deepStrictEqual(yield* ledger, [["authorized", null]])
    }).pipe(fresh)
  )

  it.effect("are authorized, and denied at the capture", () =>
    Effect.gen(function* () {
      const card = yield* tokenize("capture denied")
      const held = yield* charge(card, 1, start, true)
      assert.strictEqual(held._tag, "Authorized")
      const operator = yield* CardOperator
      const request = { ...about, attemptId: AttemptId.make("capture"), transactionId: SvcPayId.make(1) }
      const at = BusinessTime.make(start)
      const taken = yield* operator.capture({ ...request, at, authorizedAs: held.tid, value: Cents.make(4_990) })
      assert.deepInclude(taken, { _tag: "Denied", code: "05" })
    }).pipe(fresh)
  )

  it.effect("are captured within seven days of their authorization, and denied after that", () =>
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const days = 24 * 60 * 60_000
      for (const [transactionId, after, outcome] of [
        [1, 7 * days, "Captured"],
        [2, 7 * days + 1, "Denied"]
      ] as const) {
        const held = yield* charge(yield* tokenize("captured, Visa"), transactionId, start, true)
        const taken = yield* operator.capture({
          ...about,
          attemptId: AttemptId.make(`capture ${transactionId}`),
          transactionId: SvcPayId.make(transactionId),
          at: BusinessTime.make(start + after),
          authorizedAs: held.tid,
          value: Cents.make(4_990)
        })
        assert.strictEqual(taken._tag, outcome)
      }
      assert.deepStrictEqual(
        (yield* ledger).map(([effect]) => effect),
        ["authorized", "captured", "authorized", "reversed"]
      )
    }).pipe(fresh)
  )

  it.effect("report an attempt above the limit of its brand, by the company's clock", () =>
    Effect.gen(function* () {
      const card = yield* tokenize("limit of visa")
      const messages: Array<string> = []
      for (let attempt = 0; attempt < 16; attempt += 1) {
        const outcome = yield* charge(card, attempt, start + attempt * day)
        messages.push(outcome._tag === "Denied" ? outcome.message : outcome._tag)
      }
      const within = "Not enough balance or limit"
      assert.deepStrictEqual(new Set(messages.slice(0, 15)), new Set([within]))
      assert.strictEqual(messages[15], `${within}. Visa allows 15 attempts of a value in 30 days: this one costs a fee`)
      // Thirty days after the first try there is room again.
      const later = yield* charge(card, 99, start + 31 * day)
      assert.deepInclude(later, { message: within })
    }).pipe(fresh)
  )

  it.effect("receive a 5xx for the first request of an attempt, and succeed at the next", () =>
    Effect.gen(function* () {
      const card = yield* tokenize("fault 1")
      assert.strictEqual((yield* Effect.flip(charge(card, 1)))._tag, "ProviderError")
      assert.deepStrictEqual(yield* lookup, Option.none())
      assert.strictEqual((yield* charge(card, 1))._tag, "Captured")
      assert.deepStrictEqual(yield* ledger, [
        ["none", "Unavailable"],
        ["none", null],
        ["captured", null]
      ])
    }).pipe(fresh)
  )

  it.effect("are captured although their response is lost, and are found captured", () =>
    Effect.gen(function* () {
      const card = yield* tokenize("fault 2")
      assert.strictEqual((yield* Effect.flip(charge(card, 1)))._tag, "ProviderError")
      assert.isTrue(Option.isSome(yield* lookup))
      assert.strictEqual((yield* charge(card, 1))._tag, "Captured")
      assert.deepStrictEqual(yield* ledger, [
        ["captured", "ResponseLost"],
        ["none", null],
        ["none", null]
      ])
    }).pipe(fresh)
  )

  it.effect("arrive twice and are charged once", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* charge(yield* tokenize("fault 6"), 1))._tag, "Captured")
      assert.deepStrictEqual(yield* ledger, [
        ["captured", "Duplicated"],
        ["none", null]
      ])
    }).pipe(fresh)
  )
})
