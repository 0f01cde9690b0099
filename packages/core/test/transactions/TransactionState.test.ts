import { assert, describe, it } from "@effect/vitest"
import { referencesOf } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import { boletoOf, captured, deniedOf, slip, stateIn, transactionOf } from "../fixtures/States.ts"

const of = (state: Parameters<typeof referencesOf>[0]) =>
  referencesOf(state).map(({ kind, value }) => `${kind} ${value}`)

describe("referencesOf", () => {
  it("returns the tid of an authorization and of an earlier denial", () => {
    assert.deepStrictEqual(of(captured), ["tid t"])
    assert.deepStrictEqual(of(deniedOf()), ["tid d"])
    assert.deepStrictEqual(of({ ...captured, denial: deniedOf().denial }), ["tid d", "tid t"])
    assert.deepStrictEqual(of({ ...captured, denial: { ...deniedOf().denial, tid: "t" } }), ["tid t"])
  })

  it("returns the barcode of a boleto, and the bank's number if there is one", () => {
    assert.deepStrictEqual(of(boletoOf()), ["barcode 1"])
    const numbered = {
      slip: { ...slip, ourNumber: "00000000042" },
      documentKey: "key",
      at: captured.createdAt,
      terms: {}
    }
    assert.deepStrictEqual(of({ ...boletoOf(), registration: numbered }), ["barcode 1", "ourNumber 00000000042"])
  })

  it("returns the txid of a Pix and the id of each payment", () => {
    assert.deepStrictEqual(of(stateIn("pendingPix")), ["txid t"])
    assert.deepStrictEqual(of(stateIn("payedPix")), ["txid t", "endToEndId s0"])
  })

  it("returns nothing for a payment without a provider", () => {
    for (const method of ["creditcard", "boleto", "pix"] as const) {
      assert.deepStrictEqual(of(transactionOf(method)), [])
    }
    assert.isTrue(TransactionStatus.literals.every((status) => of(stateIn(status)).length < 3))
  })

  it.each(["", "a b", "\ud800", "\u0000", "é", "x".repeat(256)])("drops an invalid reference: %j", (tid) => {
    assert.deepStrictEqual(of({ ...captured, authorization: { tid, code: "a" } }), [])
  })
})
