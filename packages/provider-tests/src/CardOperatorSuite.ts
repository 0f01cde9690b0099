/**
 * Tests of the port `CardOperator`, for every adapter.
 *
 * @since 0.1.0
 */
import { assert, layer as describeLayer } from "@effect/vitest"
import { CardExpiry, CardData } from "@parcela/core/cards/Card"
import { Cents } from "@parcela/core/money/Cents"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { OperatorOutcome, ReversalOutcome } from "@parcela/core/attempts/AttemptOutcome"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A card with that number, and a CVV that is not part of common numbers.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const cardOf = (number: string): CardData =>
  Schema.decodeUnknownSync(CardData)({ number, holder: "Maria da Silva", expiresAt: "2099-12", cvv: "9517" })

/**
 * Tests an operator that captures charges of the card 4111111111111111. After `loseNextResponse` the next charge is
 * executed and fails; after `denyNextCapture` the next capture is denied.
 *
 * @category suites
 * @since 0.1.0
 */
export const suite = <R, E>(
  name: string,
  layer: Layer.Layer<CardOperator | R, E>,
  loseNextResponse: Effect.Effect<void, never, CardOperator | R>,
  denyNextCapture: Effect.Effect<void, never, CardOperator | R>
): void =>
  describeLayer(layer)(`CardOperator: ${name}`, (it) => {
    it.effect(
      "returns one key for a card that is sent often or concurrently, and the key does not contain the number",
      () =>
        Effect.gen(function* () {
          const operator = yield* CardOperator
          for (const number of ["4111111111111111", "4716258050958645"]) {
            const keys = yield* Effect.all(
              Array.from({ length: 8 }, () => operator.tokenize(company, cardOf(number))),
              { concurrency: "unbounded" }
            )
            const renewed = yield* operator.tokenize(company, {
              ...cardOf(number),
              expiresAt: CardExpiry.make("2098-01")
            })
            assert.strictEqual(new Set([...keys, renewed]).size, 1)
            assert.notInclude(keys[0], number)
            assert.notInclude(keys[0], number.slice(0, 6))
          }
        })
    )

    it.effect("returns different keys for different numbers and companies", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const keys = [
          yield* operator.tokenize(company, cardOf("4111111111111111")),
          yield* operator.tokenize(company, cardOf("5555555555554444")),
          yield* operator.tokenize(company, cardOf("4716258050958645")),
          yield* operator.tokenize(CompanyId.make(2), cardOf("4111111111111111")),
          yield* operator.tokenize(CompanyId.make(2), cardOf("4716258050958645"))
        ]
        assert.strictEqual(new Set(keys).size, keys.length)
      })
    )

    it.effect("captures a charge and returns its reference", () =>
      Effect.gen(function* () {
        const outcome = yield* pay("captures", 101)
        assert.strictEqual(outcome._tag, "Captured")
        // Interface section 2.4: both are texts of at most 255 characters.
        assert.match(outcome.tid, /^[\dA-Za-z]{1,255}$/)
        assert.match(authorizationCodeOf(outcome), /^\d{6}$/)
      })
    )

    it.effect("returns the same outcome for a repeated attempt", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const charge = yield* chargeOf("again", 102)
        const outcome = yield* operator.charge(charge)
        assert.deepStrictEqual(yield* operator.charge(charge), outcome)
      })
    )

    it.effect("moves money once for concurrent requests of one attempt", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const charge = yield* chargeOf("at once", 103)
        const outcomes = yield* Effect.all(
          Array.from({ length: 16 }, () => operator.charge(charge)),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(new Set(outcomes.map(({ tid }) => tid)).size, 1)
        for (const outcome of outcomes) assert.deepStrictEqual(outcome, outcomes[0])
      })
    )

    it.effect("returns different references for different attempts at one transaction, also concurrently", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const charge = yield* chargeOf("several", 104)
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 16 }, (_, index) => AttemptId.make(`several ${index}`)),
          (attemptId) => operator.charge({ ...charge, attemptId }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(outcomes.map(({ tid }) => tid)).size, 16)
      })
    )

    it.effect("finds no outcome of an attempt that it never received", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        assert.deepStrictEqual(yield* operator.lookup(attemptOf("never asked")), Option.none())
      })
    )

    it.effect("finds the outcome of an attempt", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const outcome = yield* pay("looked up", 105)
        assert.deepStrictEqual(yield* operator.lookup(attemptOf("looked up")), Option.some(outcome))
      })
    )

    it.effect("finds the outcome of a lost response, and returns it for a repeated request", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const charge = yield* chargeOf("lost", 106)
        yield* loseNextResponse
        const error = yield* Effect.flip(operator.charge(charge))
        assert.strictEqual(error._tag, "ProviderError")
        assert.strictEqual(error.provider, "card operator")
        const found = yield* operator.lookup(charge)
        assert.strictEqual(Option.getOrThrow(found)._tag, "Captured")
        assert.deepStrictEqual(Option.some(yield* operator.charge(charge)), found)
      })
    )

    it.effect("authorizes an amount, captures it once under its reference, and finds the outcome", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const { tid } = yield* hold("held", 107)
        const capture = { ...requestOf("taken", 107), authorizedAs: tid, value: Cents.make(12_990) }
        const outcome = yield* operator.capture(capture)
        assert.deepInclude(outcome, { _tag: "Captured", tid })
        assert.deepStrictEqual(yield* operator.capture(capture), outcome)
        assert.deepStrictEqual(yield* operator.lookup(capture), Option.some(outcome))
      })
    )

    it.effect("releases an authorized amount, and refunds at most the captured amount", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const released = yield* hold("released", 111)
        const captured = yield* hold("captured later", 112)
        const value = Cents.make(12_990)
        yield* operator.capture({ ...requestOf("its capture", 112), authorizedAs: captured.tid, value })
        for (const [transaction, { tid }] of [
          [111, released],
          [112, captured]
        ] as const) {
          const reverse = (attempt: string) =>
            Effect.map(operator.reverse({ ...requestOf(`${attempt} ${transaction}`, transaction), tid, value }), tagOf)
          assert.strictEqual(yield* reverse("all of it"), "Reversed")
          assert.strictEqual(yield* reverse("once more"), "FinallyDenied")
        }
      })
    )

    it.effect("holds nothing after a denied capture", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const { tid } = yield* hold("not captured", 113)
        const value = Cents.make(12_990)
        const capture = { ...requestOf("denied capture", 113), authorizedAs: tid, value }
        yield* denyNextCapture
        assert.strictEqual((yield* operator.capture(capture))._tag, "Denied")
        assert.strictEqual((yield* operator.capture(capture))._tag, "Denied")
        const released = yield* operator.reverse({ ...requestOf("of what is not held", 113), tid, value })
        assert.strictEqual(tagOf(released), "FinallyDenied")
      })
    )

    it.effect("refunds a captured amount in parts, each attempt once, and never more", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const { tid } = yield* pay("given back", 108)
        const reverse = (attempt: string, value: number) =>
          Effect.map(operator.reverse({ ...requestOf(attempt, 108), tid, value: Cents.make(value) }), tagOf)
        assert.strictEqual(yield* reverse("first part", 2_990), "Reversed")
        assert.strictEqual(yield* reverse("first part", 2_990), "Reversed")
        assert.strictEqual(yield* reverse("too much", 10_001), "FinallyDenied")
        assert.strictEqual(yield* reverse("the rest", 10_000), "Reversed")
        assert.strictEqual(yield* reverse("nothing left", 1), "FinallyDenied")
        assert.strictEqual(yield* reverse("too much", 10_001), "FinallyDenied")
      })
    )

    it.effect("refunds a charge once when two attempts request the whole amount concurrently", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const { tid } = yield* pay("given back at once", 109)
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => requestOf(`all of it ${index}`, 109)),
          (request) => Effect.map(operator.reverse({ ...request, tid, value: Cents.make(12_990) }), tagOf),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter((outcome) => outcome === "Reversed").length, 1)
      })
    )

    it.effect("refunds nothing of an unknown charge", () =>
      Effect.gen(function* () {
        const operator = yield* CardOperator
        const reversal = { ...requestOf("of nothing", 110), tid: "never-made", value: Cents.make(1) }
        assert.strictEqual(tagOf(yield* operator.reverse(reversal)), "FinallyDenied")
      })
    )
  })

const company = CompanyId.make(1)

const tagOf = ({ _tag }: ReversalOutcome): string => _tag

const attemptOf = (attempt: string) => ({ attemptId: AttemptId.make(attempt), companyId: company })

const requestOf = (attempt: string, transaction: number): ProviderRequest => ({
  ...attemptOf(attempt),
  transactionId: SvcPayId.make(transaction),
  at: BusinessTime.make(Date.UTC(2026, 2, 10))
})

const chargeOf = Effect.fnUntraced(function* (attempt: string, transaction: number) {
  const operator = yield* CardOperator
  const card = yield* operator.tokenize(company, cardOf("4111111111111111"))
  return { ...requestOf(attempt, transaction), card, value: Cents.make(12_990) }
})

const hold = Effect.fnUntraced(function* (attempt: string, transaction: number) {
  const operator = yield* CardOperator
  const outcome = yield* operator.charge({ ...(yield* chargeOf(attempt, transaction)), preAuthorize: true })
  assert.strictEqual(outcome._tag, "Authorized")
  return outcome
})

const pay = Effect.fnUntraced(function* (attempt: string, transaction: number) {
  const operator = yield* CardOperator
  return yield* operator.charge(yield* chargeOf(attempt, transaction))
})

const authorizationCodeOf = (outcome: OperatorOutcome): string =>
  outcome._tag === "Denied" ? `denied, ${outcome.code}` : outcome.authorizationCode
