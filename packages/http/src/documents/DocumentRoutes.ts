/**
 * `GET /documents/{svcPayId}/{documentKey}/boleto.pdf`, `/pix.svg` and `/pix`: what payers see. The key in the address is
 * all the permission it takes, so nothing is stored by caches, found by search engines or sent to other sites as a referrer.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { pixChargeOf, slipOf } from "@parcela/core/transactions/TransactionState"
import { termsOf } from "@parcela/engine/ports/PaymentOwner"
import type { Shown } from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { errorNodeOf, NotFound } from "@parcela/transport/ApiError"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Beneficiary } from "./Beneficiary.ts"
import { boletoPdf } from "./BoletoPdf.ts"
import { closedNotice } from "./ClosedNotice.ts"
import { Documents } from "./Documents.ts"
import { pixPage } from "./PixPage.ts"
import { policy } from "./PixPageAssets.ts"
import { closedSvg, pixSvg } from "./PixSvg.ts"

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
 * The routes. `beneficiaryOf` says who is paid by the payments of a company.
 *
 * **Details**
 *
 * A wrong key, an unknown payment and a payment that is no boleto (or no Pix) get the same 404. A store that fails, or a
 * stored barcode that is none, is a defect, which is returned as a 500.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  beneficiaryOf: (companyId: CompanyId) => Beneficiary
): Layer.Layer<never, never, HttpRouter.HttpRouter | Documents> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const documents = yield* Documents
      const { zone } = yield* Settings

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
            const beneficiary = beneficiaryOf(shown.value.transaction.companyId)
            return yield* render({ ...shown.value, beneficiary, zone }) ?? Effect.succeed(notFound())
          })
        )

      yield* serve("boleto.pdf", boleto)
      yield* serve("pix.svg", pixCode)
      yield* serve("pix", pixWithPage)
    })
  )

/** A payment, and what its documents say beside it. */
interface Document extends Shown {
  readonly beneficiary: Beneficiary
  readonly zone: DateTime.TimeZone
}

/** The response for a payment that has the document; `undefined` when it has not. */
type Render = (document: Document) => Effect.Effect<Response> | undefined

const boleto: Render = (document) => {
  const slip = slipOf(document.transaction)
  if (slip === undefined) return undefined
  return boletoPdf({ ...document, terms: termsOf(document.owner).boleto, slip }).pipe(
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
  return Effect.succeed(
    HttpServerResponse.text(pixPage({ ...document, terms: termsOf(document.owner).pix, pix }), {
      contentType: "text/html; charset=utf-8",
      headers: { ...headers, "content-security-policy": policy }
    })
  )
}
