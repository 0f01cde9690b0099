import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { ClockOffset } from "@parcela/core/time/Instant"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import type { Beneficiary } from "../../src/documents/Texts.ts"
import * as DocumentRoutes from "../../src/documents/DocumentRoutes.ts"
import { Documents } from "../../src/documents/DocumentRoutes.ts"
import { policy } from "../../src/documents/PixPage.ts"
import { beneficiary, boletoPayment, customer, pix, owner, pixPayment } from "./fixtures/Payments.ts"
import * as PdfReader from "./fixtures/PdfReader.ts"
import { readQr } from "./fixtures/QrReader.ts"

const key = documentKeyOf(boletoPayment)!

const documents = (payments: ReadonlyArray<TransactionState>) =>
  Layer.succeed(Documents, {
    find: (id, documentKey) =>
      Effect.succeed(
        Option.map(
          Option.fromUndefinedOr(
            payments.find((payment) => payment.id === id && documentKeyOf(payment) === documentKey)
          ),
          (transaction) => ({ transaction, owner, customer, card: undefined, clock: ClockOffset.make(0) })
        )
      )
  })

const get = Effect.fnUntraced(function* (
  path: string,
  payments: ReadonlyArray<TransactionState> = [boletoPayment, pixPayment],
  beneficiaryOf: (companyId: CompanyId) => Beneficiary = () => beneficiary
) {
  const { dispose, handler } = HttpRouter.toWebHandler(
    DocumentRoutes.layer((companyId) => Effect.succeed(beneficiaryOf(companyId))).pipe(
      Layer.provide(documents(payments))
    ),
    { disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  const response = yield* Effect.promise(() => handler(new Request(`http://localhost${path}`)))
  return { response, bytes: new Uint8Array(yield* Effect.promise(() => response.arrayBuffer())) }
})
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const files = [
  [`/documents/4711/${key}/boleto.pdf`, "application/pdf"],
  [`/documents/4712/${key}/pix.svg`, "image/svg+xml; charset=utf-8"],
  [`/documents/4712/${key}/pix`, "text/html; charset=utf-8"]
] as const

describe("DocumentRoutes", () => {
  it.effect.each(files)("serves %s as %s, with headers that forbid caches and search engines", ([path, type]) =>
    Effect.gen(function* () {
      const { response } = yield* get(path)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), type)
      assert.strictEqual(response.headers.get("cache-control"), "private, no-store")
      assert.strictEqual(response.headers.get("x-robots-tag"), "noindex, nofollow")
      assert.strictEqual(response.headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
    })
  )

  it.effect("serves the slip, the picture and the page of the requested payment", () =>
    Effect.gen(function* () {
      const pdf = yield* get(files[0][0])
      assert.include(
        PdfReader.read(pdf.bytes).texts.map(({ text }) => text),
        customer.name
      )
      assert.strictEqual(pdf.response.headers.get("content-disposition"), `inline; filename="boleto-4711.pdf"`)
      assert.strictEqual(readQr(textOf((yield* get(files[1][0])).bytes)), pix.qrCode)
      const page = yield* get(files[2][0])
      assert.include(textOf(page.bytes), pix.qrCode)
      assert.strictEqual(page.response.headers.get("content-security-policy"), policy)
    })
  )

  it.effect("serves the page of a Pix that is due on the last day of the calendar", () =>
    Effect.gen(function* () {
      const { response } = yield* get(files[2][0], [{ ...pixPayment, payday: LocalDate.make("9999-12-31") }])
      assert.strictEqual(response.status, 200)
    })
  )

  it.effect("selects the beneficiary by the payment's company", () =>
    Effect.gen(function* () {
      const requested: Array<CompanyId> = []
      const other = (companyId: CompanyId) => {
        requested.push(companyId)
        return { ...beneficiary, name: "Outra Escola" }
      }
      const payment = { ...pixPayment, companyId: CompanyId.make(9) }
      assert.include(textOf((yield* get(files[2][0], [payment], other)).bytes), "Outra Escola")
      assert.deepStrictEqual(requested, [CompanyId.make(9)])
    })
  )

  it.effect.each([
    ["a wrong key", "/documents/4711/wrong/boleto.pdf"],
    ["an unknown payment", `/documents/9999/${key}/boleto.pdf`],
    ["a Pix of a boleto", `/documents/4711/${key}/pix`],
    ["a picture of a boleto", `/documents/4711/${key}/pix.svg`],
    ["a boleto of a Pix", `/documents/4712/${key}/boleto.pdf`],
    ["no number", `/documents/abc/${key}/pix`],
    ["a number that no payment has", `/documents/0/${key}/pix`],
    ["a number too large", `/documents/999999999999/${key}/pix`],
    ["an empty number", `/documents/%20/${key}/pix`]
  ] as const)("returns the error node of a 404 for %s", ([, path]) =>
    Effect.gen(function* () {
      const { bytes, response } = yield* get(path)
      assert.strictEqual(response.status, 404)
      assert.strictEqual(response.headers.get("content-type"), "application/json")
      assert.strictEqual(response.headers.get("cache-control"), "private, no-store")
      assert.deepStrictEqual(JSON.parse(textOf(bytes)), {
        error: { message: "There is no such document: the link is wrong or incomplete" }
      })
    })
  )

  it.effect("shows no code of a closed payment", () =>
    Effect.gen(function* () {
      const payments = [
        { ...boletoPayment, status: "cancel" as const },
        { ...pixPayment, status: "payExternal" as const }
      ]
      const pdf = yield* get(files[0][0], payments)
      assert.include(
        PdfReader.read(pdf.bytes).texts.map(({ text }) => text),
        "Cobrança cancelada"
      )
      assert.strictEqual(PdfReader.read(pdf.bytes).filled.length, 0)
      const [picture, page] = [yield* get(files[1][0], payments), yield* get(files[2][0], payments)]
      for (const { bytes, response } of [picture, page]) {
        assert.strictEqual(response.status, 200)
        assert.include(textOf(bytes), "Pagamento recebido")
        assert.notInclude(textOf(bytes), "<path")
        assert.notInclude(textOf(bytes), pix.qrCode)
      }
    })
  )
})
