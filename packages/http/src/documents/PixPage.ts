/**
 * The page behind `Pix.page` (interface section 2.6). It is one file without external resources. Without its script
 * only the copy button is missing.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/money/Cents"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethods"
import type { PixCharge } from "@parcela/core/transactions/PixTransaction"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Html from "../docs/Html.ts"
import type { Beneficiary } from "./Beneficiary.ts"
import { type ClosedNotice, closedNotice } from "./ClosedNotice.ts"
import * as Formats from "./Formats.ts"
import { script, style } from "./PixPageAssets.ts"
import { pixSvg } from "./PixSvg.ts"
import { termTexts } from "./TermTexts.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PixPageInput {
  readonly pix: PixCharge
  readonly transaction: Pick<TransactionState, "status" | "value" | "payday">
  readonly terms: PaymentMethodPix
  readonly customer: CustomerState
  readonly beneficiary: Beneficiary
  /** The amount due today if it differs from the value. */
  readonly dueToday?: Cents.Cents | undefined
  /** The URL that simulates the payment in a sandbox, relative to the page. */
  readonly simulatedAt?: string | undefined
}

/**
 * Returns the page as HTML. If the Pix must not be paid, the page states this and shows no code.
 *
 * **Details**
 *
 * The payer's document is masked, because anyone with the link can read the page. Notes of the company
 * (`additionalInfo`) are absent: the interface prints them on boletos only.
 *
 * @category rendering
 * @since 0.1.0
 */
export const pixPage = (input: PixPageInput): string => {
  const { beneficiary, customer, dueToday, pix, simulatedAt, terms, transaction } = input
  const notice = closedNotice(transaction.status, "Pix")
  const isChanged = notice === undefined && dueToday !== undefined && dueToday !== transaction.value
  const value = Cents.format(isChanged ? dueToday : transaction.value)
  const facts: ReadonlyArray<readonly [label: string, text: string | undefined]> = [
    ["Valor original", isChanged ? Cents.format(transaction.value) : undefined],
    ["Vencimento", Formats.date(transaction.payday)],
    ["Condições", termTexts(terms, transaction.payday).join(" ")],
    ["Beneficiário", beneficiary.name],
    ["CPF/CNPJ do beneficiário", Formats.document(beneficiary.document)],
    ["Pagador", customer.name],
    ["CPF/CNPJ do pagador", Formats.maskedDocument(customer.document)],
    ["Informações", terms.instructions],
    ["Identificador", pix.txid]
  ]
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>Pix de ${value}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Pix para ${bdi(beneficiary.name)}</h1>
<p class="value">${value}</p>
${notice === undefined ? payment(pix.qrCode) + simulation(simulatedAt) : closed(notice)}
<dl>
${facts.flatMap(([label, text]) => (text === undefined || text === "" ? [] : [fact(label, text)])).join("\n")}
</dl>
</main>
${notice === undefined ? `<script>${script}</script>\n` : ""}</body>
</html>
`
}

/** Isolates text from outside, which may change the writing direction, from the rest of the page. */
const bdi = (text: string): string => `<bdi>${Html.text(text)}</bdi>`

const fact = (label: string, text: string): string => `<div><dt>${label}</dt><dd>${bdi(text)}</dd></div>`

const closed = ({ text, title }: ClosedNotice): string => `<section class="notice" role="status">
<h2>${title}</h2>
<p>${text}</p>
</section>`

const simulation = (address: string | undefined): string =>
  address === undefined
    ? ""
    : `
<form method="post" action="${Html.text(address)}">
<button type="submit">Simular pagamento</button>
<p class="hint">Sandbox: nenhum dinheiro é movido.</p>
</form>`

const payment = (qrCode: string): string => `<section class="payment">
<div class="paste">
<h2 id="label">Pix copia e cola</h2>
<p class="code" id="code" tabindex="0" aria-labelledby="label">${Html.text(qrCode)}</p>
<button type="button" id="copy" hidden>Copiar código</button>
<p class="said" id="said" role="status"></p>
<p class="hint">Copie o código, abra o aplicativo do seu banco e escolha pagar com Pix copia e cola.</p>
</div>
<div class="scan">
${pixSvg(qrCode)}
<p class="hint">Ou aponte a câmera do aplicativo do banco para o QR code.</p>
</div>
</section>
<p class="again"><a href="">Já paguei: atualizar a página</a></p>`
