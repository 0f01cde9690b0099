import { assert, describe, it } from "@effect/vitest"
import type { Decoder } from "@parcela/core/json/LenientDecoder"
import { disturbed, isReadingOf, lostIn } from "@parcela/test-world/Readings"
import { interfaceOperations } from "@parcela/test-world/InterfaceOperations"
import { Redacted, Result } from "effect"
import { examples } from "../fixtures/Examples.ts"
import { operationsOf } from "../../src/client/Operation.ts"
import { lenient } from "../../src/client/ResponseDecoder.ts"
import { Operations } from "../../src/Contract.ts"
import { TokenResponse } from "../../src/contract/Token.ts"

const decoders = new Map(operationsOf(Operations).map(({ name, success }) => [name, lenient(success)]))
const decoderOf = (operation: string): Decoder<unknown> => {
  const decoder = decoders.get(operation)
  assert.isDefined(decoder)
  return decoder
}

const payments = [examples.addTransaction.response.Transaction, examples.addTransaction.response.Transaction]

const odd = {
  Boleto: { pdf: "https://a.example/1", bankLine: "1", bankAgency: "1", bankAccount: "2" },
  Pix: { qrCode: "a", reference: "b", image: "c", page: "d" },
  AbecsReasonDenied: { code: "51", message: "no" },
  Transaction3DS: { urlAuthentication: "https://b.example" }
}

const address = {
  zipCode: "01001000",
  street: "a",
  number: "1",
  neighborhood: "b",
  city: "c",
  state: "SP"
}

const full = { ...examples.addTransaction.response.Transaction, ...odd }
const subscription = {
  ...examples.createManualSubscription.response.Subscription,
  Customer: { ...examples.createManualSubscription.response.Subscription.Customer, Address: address },
  Transactions: payments
}

/** The required keys of every response: its entities with identifier and status, and its secret. */
const needed = /^([A-Z]\w*(\[\d\])?(\.(svcPayId|id|status))?|confirmHash): /

/** The input of each decoder and its required keys. A change of any other key must not matter. */
const cases: ReadonlyArray<readonly [name: string, decoder: Decoder<unknown>, json: object, needed: RegExp]> = [
  [
    "createManual",
    decoderOf("subscriptions.createManual"),
    { type: true, Subscription: subscription },
    /^Subscription(\.(svcPayId|status))?: /
  ],
  [
    "subscriptions",
    decoderOf("subscriptions.list"),
    { totalQtdFoundInPage: 1, Subscriptions: [subscription] },
    /^Subscriptions(\[0\](\.(svcPayId|status))?)?: /
  ],
  ["add", decoderOf("transactions.add"), { type: true, Transaction: full }, /^Transaction(\.(svcPayId|status))?: /],
  [
    "transactions",
    decoderOf("transactions.list"),
    { totalQtdFoundInPage: 1, Transactions: [full, full] },
    /^Transactions(\[\d\](\.(svcPayId|status))?)?: /
  ],
  [
    "retry",
    decoderOf("transactions.retry"),
    { Transaction: full, PaymentMethodCreditCard: examples.retryTransaction.response.PaymentMethodCreditCard },
    /^Transaction(\.(svcPayId|status))?: /
  ],
  ["token", lenient(TokenResponse), examples.createToken.response, /^access_token: /],
  ...interfaceOperations
    .filter(({ name }) => name !== "token.token")
    .map(({ name, operationId }) => [name, decoderOf(name), examples[operationId].response, needed] as const)
]

/** Returns a value with its secrets as text, to compare it with the input. */
const unredacted = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (Array.isArray(value)) return value.map(unredacted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unredacted(inner)]))
}

describe("ResponseDecoder", () => {
  for (const [name, decode, json, needed] of cases) {
    it(`${name}: reads a response as it was written`, () => {
      const { undecoded, value } = Result.getOrThrow(decode(json))
      assert.deepStrictEqual(undecoded, [])
      assert.isTrue(isReadingOf(unredacted(value), json))
      assert.deepStrictEqual(lostIn(unredacted(value), json, "response", undecoded), [])
    })

    it(`${name}: no single disturbance throws, makes something up, loses something without a word, or fails for what is not needed`, () => {
      for (const { json: given, name: where } of disturbed(json)) {
        const result = decode(given)
        if (Result.isFailure(result)) {
          assert.isTrue(needed.test(where) || where.startsWith(": "), where)
          assert.isAbove(result.failure.missing.length, 0)
          continue
        }
        const value = unredacted(result.success.value)
        // A response without required keys is empty if there is no body.
        assert.isTrue(isReadingOf(value, given) || JSON.stringify(value) === "{}", where)
        assert.deepStrictEqual(lostIn(value, given, "response", result.success.undecoded), [], where)
      }
    })
  }

  it("mutates thousands of responses", () => {
    const count = cases.reduce((sum, [, , json]) => sum + disturbed(json).length, 0)
    assert.isAbove(count, 1_500)
  })
})
