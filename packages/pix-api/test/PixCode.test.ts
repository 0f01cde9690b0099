import { assert, it } from "@effect/vitest"
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { Cents } from "@parcela/core/money/Cents"
import { Option, Result } from "effect"
import { pixCodeOf } from "../src/internal/ChargeRequest.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const account = accountAt("https://pix.psp.example")

const charge = {
  txid: DynamicTxid.make("a".repeat(26)),
  status: "ATIVA",
  valor: { original: Cents.make(100) },
  chave: account.key
} as const

const codeOf = (changes: Parameters<typeof pixCodeOf>[0] | object) => pixCodeOf({ ...charge, ...changes }, account)

const location = "pix.psp.example/qr/v2/cobv/1"

it("uses the provider's own code", () => {
  assert.deepStrictEqual(codeOf({ pixCopiaECola: "a code", location: location }), Option.some("a code"))
})

it.each([
  { location: location },
  { location: `https://${location}` },
  { loc: { location: location } },
  // The interface has room for 255 characters.
  { location: location, pixCopiaECola: "c".repeat(256) }
])("builds a code with the charge's location if the provider's code is missing or invalid: %o", (changes) => {
  const content = PixBrCode.parse(Option.getOrElse(codeOf(changes), () => ""))
  assert.deepStrictEqual(Result.getOrUndefined(content), {
    _tag: "PixDynamic",
    location: location,
    merchantName: "Cafe da Maria",
    merchantCity: "Goiania"
  })
})

it("returns no code for a charge without code and location", () => {
  assert.deepStrictEqual(codeOf({}), Option.none())
})
