import { assert, describe, it } from "@effect/vitest"
import { CardNumber, cardNumberLabel } from "@parcela/core/cards/CardNumber"
import { canonicalText } from "@parcela/http/Idempotency"
import { Redacted, Schema } from "effect"

const number = Redacted.make(Schema.decodeSync(CardNumber)("4111111111111111"), { label: cardNumberLabel })

describe("a canonical request", () => {
  it("is the text of the stored fingerprints", () => {
    const request = {
      operation: "transactions.add",
      params: { typeId: "myId", entityId: "sub" },
      payload: { value: 1990, myId: "p", tags: [{ b: 1, a: undefined }, undefined], note: null, Zeta: "é", 10: 1, 9: 2 }
    }
    assert.strictEqual(
      canonicalText(request),
      '{"operation":"transactions.add","params":{"entityId":"sub","typeId":"myId"},' +
        '"payload":{"9":2,"10":1,"Zeta":"é","myId":"p","note":null,"tags":[{"b":1},null],"value":1990}}'
    )
  })

  it("contains the mask of a card number and no other secret", () => {
    const payload = { number, cvv: Redacted.make("951"), holder: "ANA" }
    assert.strictEqual(
      canonicalText({ operation: "cards.create", payload }),
      '{"operation":"cards.create","payload":{"holder":"ANA","number":"4111********1111"}}'
    )
  })
})
