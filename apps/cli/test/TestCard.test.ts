import { assert, describe, it } from "@effect/vitest"
import { testCards } from "@parcela/provider-simulator/TestCards"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const words = (card: string) => [
  ..."charges create --my-id c-1 --method creditcard --customer-my-id maria --value 500 --payday 2030-01-01".split(" "),
  "--test-card",
  card
]

const refused = () => [400, { error: { message: "no" } }] as const

const sent = (card: string) =>
  Effect.map(Fake.parcela(words(card), { play: refused }), ({ requests }) => {
    const [{ body } = { body: undefined }] = requests
    return (body as { readonly PaymentMethodCreditCard: { readonly Card: object } }).PaymentMethodCreditCard.Card
  })

describe("--test-card", () => {
  it.effect("accepts a name, or a number of the table", () =>
    Effect.gen(function* () {
      assert.include(yield* sent("approved"), { number: "4111111111111111" })
      for (const { number } of testCards.slice(0, 9)) assert.include(yield* sent(number), { number })
      assert.include(yield* sent("4000 0000 0000 0341"), { number: "4000000000000341" })
    })
  )

  it.effect("refuses any other number without printing it, because it may be a real card", () =>
    Effect.gen(function* () {
      const { requests, code, err, out } = yield* Fake.parcela(words("4929000000000006"))
      assert.deepStrictEqual([code, requests, out], [2, [], ""])
      assert.notInclude(err, "4929")
      assert.include(err, "parcela sandbox test-cards")
      assert.include(err, "denied-then-captured")
    })
  )
})
