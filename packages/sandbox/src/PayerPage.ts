/**
 * `/documents/{svcPayId}/{documentKey}/simulate-payment`: a payer of the sandbox simulates a payment. The key in the
 * URL is the only authorization, as for the slip and the code.
 *
 * @since 0.1.0
 */
import type { AmountDue } from "@parcela/core/money/AmountDue"
import * as Cents from "@parcela/core/money/Cents"
import { businessTimeOf } from "@parcela/core/time/Instant"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { Settings } from "@parcela/engine/Settings"
import * as DocsFrame from "@parcela/http/docs/DocsFrame"
import { Documents, SimulatedPayment } from "@parcela/http/documents/DocumentRoutes"
import { policyWithForm, style } from "@parcela/http/documents/PixPage"
import { fieldsOf, tooManyMembers } from "@parcela/http/ReceivedRequest"
import { type NotPayable, Payers, type Payment } from "@parcela/provider-simulator/Payers"
import { isLoopbackHost } from "@parcela/service/OperatorAccess"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Paying from "./Paying.ts"

const file = "simulate-payment"

/** The query of the page after a payment of a boleto. */
const paid = "paid"

const decodeParams = Schema.decodeUnknownOption(
  Schema.Struct({ svcPayId: Schema.FiniteFromString.pipe(Schema.decodeTo(SvcPayId)), documentKey: Schema.String })
)

const decodeForm = Schema.decodeUnknownOption(
  Schema.Struct({
    value: Schema.optionalKey(Schema.FiniteFromString.pipe(Schema.decodeTo(Cents.Cents))),
    times: Schema.optionalKey(Schema.Literals(["1", "2"]))
  })
)

const headers = {
  "cache-control": "private, no-store",
  "content-security-policy": policyWithForm,
  // No referrer for other sites. With "no-referrer" browsers would send "Origin: null" with forms of this page.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow"
}

const page = (title: string, body: string, status = 200) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
    { contentType: "text/html; charset=utf-8", headers, status }
  )

const notice = (text: string) => `<section class="notice" role="status"><p>${DocsFrame.text(text)}</p></section>`

const messagePage = (text: string, status: number) =>
  page("Simular pagamento", `${notice(text)}\n<p class="again"><a href="${file}">Voltar</a></p>`, status)

const button = (label: string, fields: Readonly<Record<string, string>>) => `<form method="post" action="${file}">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  .join("\n")}
<button type="submit">${label}</button>
</form>`

/**
 * Returns the payment buttons: the exact amount for a Pix; any amount and repeated payments, labelled as such, for a
 * boleto.
 */
const choices = (method: "boleto" | "pix", total: number, isAgain: boolean) => {
  const verb = isAgain ? "Pagar de novo" : "Pagar"
  const exact = button(`${verb} ${Cents.format(Cents.Cents.make(total))}`, {})
  if (method === "pix") return exact
  const other = (value: number, label: string) =>
    button(`${verb} ${label}: ${Cents.format(Cents.Cents.make(value))}`, { value: String(value) })
  return [
    exact,
    ...(total > 1 ? [other(total - 1, "um centavo a menos")] : []),
    other(total + 1, "um centavo a mais"),
    button(isAgain ? "Pagar mais duas vezes" : "Pagar duas vezes", { times: "2" })
  ].join("\n")
}

/**
 * Returns a notice about earlier payments. Another payment of a boleto is usually a mistake, and sometimes intended.
 */
const paidBefore = (payments: ReadonlyArray<Pick<Payment, "value">>): string => {
  if (payments.length === 0) return ""
  const sum = Cents.Cents.make(payments.reduce((total, { value }) => total + value, 0))
  const count = payments.length === 1 ? "Há um pagamento" : `Há ${payments.length} pagamentos`
  return `<section class="notice" role="status"><h2>Este boleto já foi pago</h2>
<p>${count}, ${Cents.format(sum)} ao todo. O que você pagar agora é pago a mais: quando o banco informar, a cobrança passa a paidDuplicityBoleto.</p></section>
`
}

/** The payer's text for each reason of a provider to refuse a payment. */
const unpayable: { readonly [reason in NotPayable["reason"]]: string } = {
  NotRegistered: "Ainda não há o que pagar: a cobrança não tem código.",
  Cancelled: "Esta cobrança foi cancelada: não pode ser paga.",
  Expired: "O prazo desta cobrança acabou: não pode mais ser paga.",
  PaidAlready: "Este Pix já foi pago, e um Pix é pago uma vez só.",
  OtherValue: "Um Pix é pago com o valor cobrado, e com nenhum outro.",
  OtherOrder: "Outro pagamento já tem este nome."
}

/** The payer's page for each failure. */
const refusals = {
  NotPayable: ({ reason }: NotPayable) => Effect.succeed(messagePage(unpayable[reason], 400)),
  ProviderError: () => Effect.succeed(messagePage("O provedor simulado não responde agora. Tente de novo.", 503))
}

const unknown =
  "O pagamento pode ter sido feito, mas o sandbox não conseguiu ler o resultado. Volte e confira antes de pagar de novo."

/** Returns the parts of the amount if it differs from the value. */
const parts = ({ discount, fine, interest, total }: AmountDue) => {
  if (discount + fine + interest === 0) return ""
  const value = total - fine - interest + discount
  const rows = [
    ["Valor", value],
    ["Multa", fine],
    ["Juros", interest],
    ["Desconto", -discount]
  ] as const
  const shown = rows.filter(([name, cents]) => name === "Valor" || cents !== 0)
  return `<ul class="parts">
${shown.map(([name, cents]) => `<li>${name}: ${cents < 0 ? "− " : ""}${Cents.format(Cents.Cents.make(Math.abs(cents)))}</li>`).join("\n")}
</ul>`
}

const found = Effect.fnUntraced(function* (documents: Documents["Service"]) {
  const address = decodeParams(yield* HttpRouter.params)
  if (Option.isNone(address)) return undefined
  const { documentKey, svcPayId } = address.value
  return Option.getOrUndefined(yield* Effect.orDie(documents.find(svcPayId, documentKey)))
})

/**
 * Returns true for forms of this server's own pages and for programs: browsers send one of the two headers with a form.
 * The host must be known too, because any site's name may resolve to this machine (DNS rebinding).
 */
const isOwnForm = (
  { host = "", origin, "sec-fetch-site": site }: HttpServerRequest.HttpServerRequest["headers"],
  publicUrl: string
): boolean => {
  if (origin === undefined && site === undefined) return true
  const own = new URL(publicUrl)
  if (host !== own.host && !isLoopbackHost(host)) return false
  if (site !== undefined) return site === "same-origin" || site === "none"
  return origin === own.origin || origin === `http://${host}`
}

/** Has no link back, because the link would lead to this page. */
const notFound = () => page("Simular pagamento", notice("Não há tal cobrança: o link está errado ou incompleto."), 404)

/**
 * The page, and the link to it on slips and Pix pages.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const payers = yield* Payers
    const pay = yield* Paying.make
    const { publicUrl } = yield* Settings
    const path = `/documents/:svcPayId/:documentKey/${file}` as const

    yield* router.add(
      "GET",
      path,
      Effect.gen(function* () {
        const shown = yield* found(documents)
        if (shown === undefined) return notFound()
        const { companyId, id: transactionId, method } = shown.transaction
        const at = businessTimeOf(yield* machineNow, shown.clock)
        const wasPaid = (yield* HttpServerRequest.HttpServerRequest).url.endsWith(`?${paid}`)
        return yield* Effect.all([
          payers.due({ companyId, transactionId, at }),
          payers.list(companyId, { after: 0, limit: maxPageSize, transactionId })
        ]).pipe(
          Effect.map(([due, payments]) =>
            page(
              "Simular pagamento",
              `${wasPaid ? notice("Pago. O banco informa o pagamento no próximo dia útil.") : ""}${paidBefore(payments)}<p class="value">${Cents.format(due.total)}</p>
${parts(due)}
<p class="hint">Sandbox: nenhum dinheiro é movido.${method === "pix" ? "" : " Um boleto é compensado no próximo dia útil."}</p>
${choices(method === "pix" ? "pix" : "boleto", due.total, payments.length > 0)}`
            )
          ),
          Effect.catchTags(refusals)
        )
      })
    )

    yield* router.add(
      "POST",
      path,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!isOwnForm(request.headers, publicUrl)) return messagePage("Este formulário não é desta página.", 403)
        const shown = yield* found(documents)
        if (shown === undefined) return notFound()
        const text = yield* Effect.orElseSucceed(request.text, () => "")
        const form = tooManyMembers(text, "Payment") === undefined ? decodeForm(fieldsOf(text)) : Option.none()
        if (Option.isNone(form)) return messagePage("O formulário está errado.", 400)
        const { times, value } = form.value
        const { companyId, id, method } = shown.transaction
        return yield* pay(companyId, bySvcPayId(id), { value, times: times === undefined ? 1 : Number(times) }).pipe(
          // A redirect to GET: reloading the page then pays nothing.
          Effect.map(() =>
            HttpServerResponse.redirect(method === "pix" ? "pix" : `${file}?${paid}`, { status: 303, headers })
          ),
          Effect.catchTags({
            NotPayable: refusals.NotPayable,
            PaymentUnknown: () => Effect.succeed(messagePage(unknown, 504)),
            NotFound: () => Effect.succeed(notFound()),
            StoreError: Effect.die
          })
        )
      })
    )
  })
).pipe(Layer.provide(Documents.layer))

/** Adds the link to slips and Pix pages. */
export const layerLinked = Layer.succeed(SimulatedPayment, file)
