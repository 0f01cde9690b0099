import { assert, describe, it } from "@effect/vitest"
import { referencesOf } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import { boletoOf, captured, deniedOf, slip, stateIn, transactionOf } from "../fixtures/States.ts"

const of = (state: Parameters<typeof referencesOf>[0]) =>
  referencesOf(state).map(({ kind, value }) => `${kind} ${value}`)

describe("referencesOf", () => {
  it("names what the card operator has taken, and what it denied before", () => {
    assert.deepStrictEqual(of(captured), ["tid t"])
    assert.deepStrictEqual(of(deniedOf()), ["tid d"])
    assert.deepStrictEqual(of({ ...captured, denial: deniedOf().denial }), ["tid d", "tid t"])
    assert.deepStrictEqual(of({ ...captured, denial: { ...deniedOf().denial, tid: "t" } }), ["tid t"])
  })

  it("names a boleto by its barcode, and by its bank's number where the bank tells it", () => {
    assert.deepStrictEqual(of(boletoOf()), ["barcode 1"])
    const numbered = {
      slip: { ...slip, ourNumber: "00000000042" },
      documentKey: "key",
      at: captured.createdAt,
      terms: {}
    }
    assert.deepStrictEqual(of({ ...boletoOf(), registration: numbered }), ["barcode 1", "ourNumber 00000000042"])
  })

  it("names a Pix by its txid, and each payment of it", () => {
    assert.deepStrictEqual(of(stateIn("pendingPix")), ["txid t"])
    assert.deepStrictEqual(of(stateIn("payedPix")), ["txid t", "endToEndId s0"])
  })

  it("has none of what no provider knows", () => {
    for (const method of ["creditcard", "boleto", "pix"] as const) {
      assert.deepStrictEqual(of(transactionOf(method)), [])
    }
    assert.isTrue(TransactionStatus.literals.every((status) => of(stateIn(status)).length < 3))
  })

  it.each(["", "a b", "\ud800", "\u0000", "é", "x".repeat(256)])("leaves out what is no name: %j", (tid) => {
    assert.deepStrictEqual(of({ ...captured, authorization: { tid, code: "a" } }), [])
  })
})
