import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { acquirerDenials, denials } from "../../src/cards/AbecsCode.ts"
import { refuse } from "../../src/errors/BillingError.ts"
import { BillingRefusal } from "../../src/errors/BillingRefusal.ts"
import { inPortuguese, translated } from "../../src/language/Translation.ts"
import { statusDescriptions } from "../../src/transactions/TransactionStatus.ts"

describe("Portuguese", () => {
  it("translates the lifetime of a token, in minutes or as it is written", () => {
    const says = (lasts: string) =>
      inPortuguese(`The access token is unknown or expired: get a new one with POST /token (it lasts ${lasts})`)
    for (const [lasts, dura] of [
      ["10 minutes", "10 minutos"],
      ["1 minute", "1 minuto"],
      ["1m 30s", "1m 30s"]
    ] as const) {
      assert.isTrue(says(lasts)?.endsWith(`(dura ${dura})`), lasts)
    }
  })

  it("contains every statusDescription", () => {
    const missing = Object.values(statusDescriptions).filter((text) => inPortuguese(text) === undefined)
    assert.deepStrictEqual(missing, [])
    assert.strictEqual(translated(statusDescriptions.captured, "pt"), "Capturada na operadora de cartão")
  })

  it("contains the reason of every denial code of cards", () => {
    const tables = [...Object.values(denials), acquirerDenials]
    const messages = new Set(tables.flatMap((table) => Object.values(table).map(({ message }) => message)))
    assert.isAbove(messages.size, 60)
    assert.deepStrictEqual(
      [...messages].filter((text) => inPortuguese(text) === undefined),
      []
    )
  })

  for (const [tag, schema] of Object.entries(BillingRefusal.cases)) {
    it.effect.prop(
      `translates the message of ${tag}`,
      [schema],
      ([refusal]) =>
        Effect.sync(() => {
          const { details } = refuse(refusal)
          for (const [sentence] of Object.values(details)) {
            assert.isDefined(inPortuguese(sentence!), sentence)
            assert.notStrictEqual(inPortuguese(sentence!), sentence)
          }
        }),
      { arbitrary: { runs: 20 } }
    )
  }

  it("leaves fields, values sent by the client and the order of parts unchanged", () => {
    assert.strictEqual(
      inPortuguese('Subscription.myId: "text" is already in use'),
      'Subscription.myId: "text" já está em uso'
    )
    assert.strictEqual(
      inPortuguese("item 2: must be a whole number from 1 to 99"),
      "item 2: deve ser um número inteiro de 1 a 99"
    )
    for (const [english, portuguese] of [
      ["must have at least one character", "deve ter pelo menos um caractere"],
      ["must have at most 20 e-mail addresses", "deve ter no máximo 20 endereços de e-mail"],
      ["must have 11 (CPF) or 14 (CNPJ) digits", "deve ter 11 dígitos (CPF) ou 14 dígitos (CNPJ)"],
      ["must have 3 or 4 digits", "deve ter 3 ou 4 dígitos"],
      ["must have 1 to 255 characters", "deve ter de 1 a 255 caracteres"],
      ["is not a filter of this list: it has startAt, limit", "não é um filtro desta lista, que tem startAt, limit"],
      [
        "item 1: must be a CPF or CNPJ of at most 14 digits or letters",
        "item 1: deve ser um CPF ou CNPJ de no máximo 14 dígitos ou letras"
      ],
      ["must be at least one cent", "deve ser pelo menos um centavo"]
    ] as const) {
      assert.strictEqual(inPortuguese(english), portuguese)
    }
    assert.strictEqual(
      inPortuguese("a transaction that is captured cannot be retried: only denied, notSend and authorized can"),
      "uma transação com status captured não pode ser retentada: só denied, notSend e authorized"
    )
  })

  it("leaves unknown sentences, and all sentences in English, unchanged", () => {
    assert.isUndefined(inPortuguese("toString"))
    assert.strictEqual(translated("Nobody knows this sentence", "pt"), "Nobody knows this sentence")
    assert.strictEqual(translated("Pix paid", "en"), "Pix paid")
  })
})
