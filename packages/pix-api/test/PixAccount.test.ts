import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Effect, Layer } from "effect"
import { PixAccounts } from "../src/PixAccount.ts"
import { txidOf } from "../src/internal/ChargeRequest.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const account = accountAt("https://pix.psp.example")

describe("an account", () => {
  it.effect.each([
    { baseUrl: "http://pix.psp.example/api/v2" },
    { baseUrl: "https://user:password@pix.psp.example" },
    { tokenUrl: "ftp://pix.psp.example" },
    { txidPrefix: "loja-1" },
    { txidPrefix: "" },
    { txidPrefix: "x".repeat(25) },
    { key: "a key" }
  ])("with %o is refused when the service starts", (changes) =>
    Effect.gen(function* () {
      const layer = PixAccounts.layerOne({ ...account, ...changes })
      assert.strictEqual((yield* Effect.flip(Layer.build(layer)))._tag, "SchemaError")
    })
  )

  it.effect.each(["http://127.0.0.1:8080/api/v2", "http://pix-simulator:8080/api/v2", "https://pix.psp.example/v2"])(
    "may be at %s",
    (baseUrl) => Layer.build(PixAccounts.layerOne({ ...account, baseUrl }))
  )

  it.effect("is the company's own if each company has one", () =>
    Effect.gen(function* () {
      const one = CompanyId.make(1)
      const accounts = yield* PixAccounts
      assert.strictEqual(accounts.of(one)?.key, account.key)
      assert.isUndefined(accounts.of(CompanyId.make(2)))
      assert.strictEqual(accounts.all.length, 1)
    }).pipe(Effect.provide(PixAccounts.layerByCompany(new Map([[CompanyId.make(1), account]]))))
  )

  it.effect("is one account for two companies that share it", () =>
    Effect.gen(function* () {
      const [one, two] = [CompanyId.make(1), CompanyId.make(2)]
      // As from two lines of a file: equal, and not the same object.
      const layer = PixAccounts.layerByCompany(
        new Map([
          [one, account],
          [two, accountAt("https://pix.psp.example")]
        ])
      )
      const accounts = yield* Effect.provide(PixAccounts, layer)
      assert.deepStrictEqual([accounts.of(one)?.key, accounts.of(two)?.key], [account.key, account.key])
      assert.deepStrictEqual(accounts.all, [account])
    })
  )
})

describe("a txid", () => {
  it.each([
    { txidPrefix: "a", id: 7, txid: "a0000000000000000000000007" },
    { txidPrefix: "a", id: 99_999_999_999, txid: "a0000000000000099999999999" },
    { txidPrefix: "x".repeat(24), id: 7, txid: `${"x".repeat(24)}00000000007` }
  ])("of transaction $id with prefix $txidPrefix is $txid", ({ id, txid, txidPrefix }) => {
    assert.strictEqual(txidOf({ txidPrefix }, { transactionId: SvcPayId.make(id) }), txid)
  })

  it.each([
    { txidPrefix: "a", id: 7, txid: "aR020000000000000000000007" },
    { txidPrefix: "x".repeat(24), id: 99_999_999_999, txid: `${"x".repeat(24)}R0219xtf1tr` }
  ])("of its second registration is $txid", ({ id, txid, txidPrefix }) => {
    assert.strictEqual(txidOf({ txidPrefix }, { transactionId: SvcPayId.make(id), registration: 2 }), txid)
  })
})
