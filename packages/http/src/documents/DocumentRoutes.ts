/**
 * `GET /documents/{svcPayId}/{documentKey}/boleto.pdf`, `/pix.svg` and `/pix`: documents for payers. The key in the URL
 * is the only authorization, so headers forbid caches, search engines and referrers.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { amountDue } from "@parcela/core/money/AmountDue"
import { Percentage } from "@parcela/core/money/Percentage"
import type { PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethod"
import { businessTimeOf, dateAt } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { SvcPayId, bySvcPayId } from "@parcela/core/values/Identifier"
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { pixChargeOf, slipOf } from "@parcela/core/transactions/TransactionState"
import { termsOf } from "@parcela/engine/payments/PaymentDecisions"
import type { PaymentSnapshot } from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { errorNodeOf, NotFound } from "@parcela/transport/ApiError"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Beneficiary, closedNotice } from "./Texts.ts"
import { boletoPdf } from "./BoletoPdf.ts"
import { pixPage, policy, policyWithForm, closedSvg, pixSvg } from "./PixPage.ts"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Transactions } from "@parcela/engine/ports/Transactions"
import * as Spans from "@parcela/engine/Spans"
import * as Context from "effect/Context"

type Response = HttpServerResponse.HttpServerResponse

const decodeParams = Schema.decodeUnknownOption(
  Schema.Struct({ svcPayId: Schema.FiniteFromString.pipe(Schema.decodeTo(SvcPayId)), documentKey: Schema.String })
)

const headers = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow"
}

const notFound = (): Response => {
  const { body, status } = errorNodeOf(
    new NotFound({ message: "There is no such document: the link is wrong or incomplete" })
  )
  return HttpServerResponse.jsonUnsafe(body, { status, headers })
}

/**
 * The routes. `beneficiaryOf` returns the payee of a company's payments.
 *
 * **Details**
 *
 * A wrong key, an unknown payment and a payment without the document all get the same 404. A failing store or an
 * invalid stored barcode is a defect: a 500.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  beneficiaryOf: (companyId: CompanyId) => Effect.Effect<Beneficiary>
): Layer.Layer<never, never, HttpRouter.HttpRouter | Documents> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const documents = yield* Documents
      const { publicUrl, zone } = yield* Settings
      const simulated = yield* SimulatedPayment

      const serve = (file: "boleto.pdf" | "pix.svg" | "pix", render: Render) =>
        router.add(
          "GET",
          `/documents/:svcPayId/:documentKey/${file}`,
          Effect.gen(function* () {
            const address = decodeParams(yield* HttpRouter.params)
            if (Option.isNone(address)) return notFound()
            const { documentKey, svcPayId } = address.value
            const shown = yield* Effect.orDie(documents.find(svcPayId, documentKey))
            if (Option.isNone(shown)) return notFound()
            const beneficiary = yield* beneficiaryOf(shown.value.transaction.companyId)
            const today = dateAt(businessTimeOf(yield* machineNow, shown.value.clock), zone)
            const simulatedAt =
              simulated === undefined ? undefined : `${publicUrl}/documents/${svcPayId}/${documentKey}/${simulated}`
            const document = { ...shown.value, beneficiary, simulated, simulatedAt, today, zone }
            return yield* render(document) ?? Effect.succeed(notFound())
          })
        )

      yield* serve("boleto.pdf", boleto)
      yield* serve("pix.svg", pixCode)
      yield* serve("pix", pixWithPage)
    })
  )

/** A payment with the other data of its documents. */
interface Document extends PaymentSnapshot {
  readonly beneficiary: Beneficiary
  readonly zone: DateTime.TimeZone
  /** Today by the clock of the payment's company. */
  readonly today: LocalDate
  readonly simulated: string | undefined
  readonly simulatedAt: string | undefined
}

/** Returns the terms of the registration, or else the owner's current terms. */
const termsOfBoleto = ({ owner, transaction }: Document) =>
  (transaction.method === "boleto" ? transaction.registration?.terms : undefined) ?? termsOf(owner).boleto

const termsOfPix = ({ owner, transaction }: Document) =>
  (transaction.method === "pix" ? transaction.registration?.terms : undefined) ?? termsOf(owner).pix

const dueToday = ({ today, transaction }: Document, { Discount: discount, fine = 0, interest = 0 }: PaymentMethodPix) =>
  Result.match(
    amountDue({
      value: transaction.value,
      due: transaction.payday,
      paidOn: today,
      fine: Percentage.make(fine),
      interest: Percentage.make(interest),
      discount
    }),
    { onFailure: () => undefined, onSuccess: ({ total }) => total }
  )

/** Returns the response with the document, or `undefined` if the payment has no such document. */
type Render = (document: Document) => Effect.Effect<Response> | undefined

const boleto: Render = (document) => {
  const slip = slipOf(document.transaction)
  if (slip === undefined) return undefined
  return boletoPdf({ ...document, terms: termsOfBoleto(document), slip }).pipe(
    Effect.orDie,
    Effect.map((bytes) =>
      HttpServerResponse.uint8Array(bytes, {
        contentType: "application/pdf",
        headers: { ...headers, "content-disposition": `inline; filename="boleto-${document.transaction.id}.pdf"` }
      })
    )
  )
}

const pixCode: Render = ({ transaction }) => {
  const pix = pixChargeOf(transaction)
  if (pix === undefined) return undefined
  const notice = closedNotice(transaction.status, "Pix")
  return Effect.succeed(
    HttpServerResponse.text(notice === undefined ? pixSvg(pix.qrCode) : closedSvg(notice), {
      contentType: "image/svg+xml; charset=utf-8",
      headers: { ...headers, "content-security-policy": "default-src 'none'" }
    })
  )
}

const pixWithPage: Render = (document) => {
  const pix = pixChargeOf(document.transaction)
  if (pix === undefined) return undefined
  const terms = termsOfPix(document)
  const { simulated: simulatedAt } = document
  const page = pixPage({ ...document, terms, pix, simulatedAt, dueToday: dueToday(document, terms) })
  return Effect.succeed(
    HttpServerResponse.text(page, {
      contentType: "text/html; charset=utf-8",
      headers:
        simulatedAt === undefined
          ? { ...headers, "content-security-policy": policy }
          : // With "no-referrer" browsers would send "Origin: null" with the form.
            { ...headers, "content-security-policy": policyWithForm, "referrer-policy": "same-origin" }
    })
  )
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Documents extends Context.Service<
  Documents,
  {
    /** Returns a payment with the data of its documents, or none if the payment does not exist or the key is wrong. */
    readonly find: (
      svcPayId: SvcPayId,
      documentKey: string
    ) => Effect.Effect<Option.Option<PaymentSnapshot & Pick<CompanyContext, "clock">>, StoreError>
  }
>()("@parcela/http/documents/Documents") {
  static readonly layer: Layer.Layer<Documents, never, CommandStore | Transactions> = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const store = yield* CommandStore
      const transactions = yield* Transactions
      return Documents.of({
        find: Spans.fn("Documents.find")(function* (svcPayId, documentKey) {
          const found = yield* transactions.findByDocument(svcPayId, documentKey)
          if (Option.isNone(found)) return Option.none()
          const { value } = yield* store.run({
            load: "payment",
            args: { companyId: found.value.companyId, transaction: bySvcPayId(svcPayId) },
            decide: (loaded) => Result.succeed({ value: loaded.found, writes: undefined })
          })
          return Option.fromUndefinedOr(value)
        })
      })
    })
  )
}

/**
 * The last segment of the page's path, next to `/pix` and `/boleto.pdf`; undefined outside a sandbox.
 *
 * @category references
 * @since 0.1.0
 */
export const SimulatedPayment = Context.Reference<string | undefined>("@parcela/http/documents/SimulatedPayment", {
  defaultValue: () => undefined
})
