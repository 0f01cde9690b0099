/**
 * The page behind `Pix.page` (interface section 2.6). It is one file without external resources. Without its script
 * only the copy button is missing.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/money/Cents"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethod"
import type { PixCharge } from "@parcela/core/transactions/RegisteredTransaction"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import * as DocsFrame from "../docs/DocsFrame.ts"
import * as Texts from "./Texts.ts"
import { type Beneficiary, type ClosedNotice, closedNotice, termTexts } from "./Texts.ts"
import { encodeQR } from "qr"

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
    ["Vencimento", Texts.date(transaction.payday)],
    ["Condições", termTexts(terms, transaction.payday).join(" ")],
    ["Beneficiário", beneficiary.name],
    ["CPF/CNPJ do beneficiário", Texts.document(beneficiary.document)],
    ["Pagador", customer.name],
    ["CPF/CNPJ do pagador", Texts.maskedDocument(customer.document)],
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
const bdi = (text: string): string => `<bdi>${DocsFrame.text(text)}</bdi>`

const fact = (label: string, text: string): string => `<div><dt>${label}</dt><dd>${bdi(text)}</dd></div>`

const closed = ({ text, title }: ClosedNotice): string => `<section class="notice" role="status">
<h2>${title}</h2>
<p>${text}</p>
</section>`

const simulation = (address: string | undefined): string =>
  address === undefined
    ? ""
    : `
<form method="post" action="${DocsFrame.text(address)}">
<button type="submit">Simular pagamento</button>
<p class="hint">Sandbox: nenhum dinheiro é movido.</p>
</form>`

const payment = (qrCode: string): string => `<section class="payment">
<div class="paste">
<h2 id="label">Pix copia e cola</h2>
<p class="code" id="code" tabindex="0" aria-labelledby="label">${DocsFrame.text(qrCode)}</p>
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

/**
 * Returns the QR code of a Pix as SVG: black on white in every theme, with the blank margin of 4 modules that scanners
 * need (ISO/IEC 18004).
 *
 * **Gotchas**
 *
 * Throws for text above 2,331 bytes, the capacity of a QR code. A Pix code has at most 255.
 *
 * @category rendering
 * @since 0.1.0
 */
export const pixSvg = (qrCode: string): string => {
  const modules = encodeQR(qrCode, "raw", { ecc: "medium", border: 4 })
  const path = modules.map((row, y) =>
    runs(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join("")
  )
  return picture(
    "QR code do Pix",
    modules.length,
    `<path d="${path.join("")}" fill="#000" shape-rendering="crispEdges"/>`
  )
}

/**
 * Returns the picture that replaces the code when the Pix must not be paid.
 *
 * @category rendering
 * @since 0.1.0
 */
export const closedSvg = ({ title }: ClosedNotice): string =>
  picture(
    title,
    300,
    `<text x="150" y="158" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="24" ` +
      `fill="#333">${title}</text>`
  )

function picture(label: string, size: number, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 ${size} ${size}" role="img" ` +
    `aria-label="${label}"><rect width="${size}" height="${size}" fill="#fff"/>${content}</svg>`
  )
}

/** Returns start and length of each run of dark modules. */
function runs(row: ReadonlyArray<boolean>): ReadonlyArray<readonly [number, number]> {
  const found: Array<readonly [number, number]> = []
  for (let x = 0; x < row.length; x++) {
    const from = x
    while (row[x] === true) x++
    if (x > from) found.push([from, x - from])
  }
  return found
}

/**
 * Style and script of the Pix page, and the policy that allows only these two.
 *
 * @since 0.1.0
 */
/**
 * @category assets
 * @since 0.1.0
 */
export const style = `
:root { color-scheme: light dark; --ink: #1a1d1f; --soft: #585f66; --paper: #fff; --ground: #f1f3f5; --edge: #d5dade;
  --action: #0b6e55; --on-action: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceff1; --soft: #a4adb5; --paper: #1b1f22; --ground: #101315; --edge: #353c42; --action: #4bc8a5;
    --on-action: #06251c }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1.25rem; background: var(--paper) }
h1 { margin: 0; font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere }
h2 { margin: 0 0 .5rem; font-size: 1rem }
p { margin: 0 }
.value { font-size: 2.25rem; font-weight: 700; line-height: 1.2; margin-bottom: 1.25rem }
.payment { display: grid; gap: 1.5rem }
.paste, .scan { min-width: 0 }
.code { padding: .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--ground);
  font: .85rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; word-break: break-all;
  -webkit-user-select: all; user-select: all }
button { width: 100%; margin-top: .75rem; padding: .8rem 1rem; border: 0; border-radius: .5rem; font: inherit;
  font-weight: 600; color: var(--on-action); background: var(--action); cursor: pointer }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px }
.said { min-height: 1.5rem; margin-top: .25rem; font-weight: 600; color: var(--action) }
.hint { color: var(--soft); font-size: .9rem }
button + .hint { margin-top: .5rem }
.parts { margin: -.75rem 0 1.25rem; padding: 0; list-style: none; color: var(--soft) }
.scan svg { display: block; width: 100%; max-width: 18rem; height: auto; margin: 0 auto .5rem; border-radius: .5rem }
.scan .hint { text-align: center }
.again { margin-top: 1.25rem; text-align: center }
a { color: var(--action) }
.notice { margin: .75rem 0; padding: 1rem; border: 1px solid var(--edge); border-left: .4rem solid var(--action); border-radius: .5rem }
.notice h2 { font-size: 1.25rem; margin-bottom: .25rem }
dl { margin: 1.5rem 0 0; border-top: 1px solid var(--edge) }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .5rem 0;
  border-bottom: 1px solid var(--edge) }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0 }
@media (min-width: 40rem) {
  main { margin: 2rem auto; padding: 2rem; border-radius: .75rem; border: 1px solid var(--edge) }
  .payment { grid-template-columns: 1fr 17rem }
}
@media print { button, .said, .again { display: none } }
`

/**
 * @category assets
 * @since 0.1.0
 */
const script = `
const code = document.getElementById("code")
const said = document.getElementById("said")
const button = document.getElementById("copy")
const copy = async () => {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(code)
    return document.execCommand("copy")
  }
}
button.hidden = false
button.addEventListener("click", async () => {
  said.textContent = (await copy()) ? "Código copiado." : "Não foi possível copiar: selecione o código e copie."
})
`

// SHA-256 of the style and the script above, as a browser computes it. A test compares the hashes with the texts.
const styleHash = "'sha256-Q7hqfMBjU+8QGvpmZKdF9GLzJWDdwDG0KFgvSEh6zMk='"
const scriptHash = "'sha256-oXSrDmrjoItQO0YtYlzAdCy/bIOMuFTHpaAyjMZ/N+8='"

const policyOf = (formAction: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `script-src ${scriptHash}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'"
  ].join("; ")

/**
 * `Content-Security-Policy` of the page.
 *
 * @category headers
 * @since 0.1.0
 */
export const policy: string = policyOf("'none'")

/**
 * The policy for a page with a button that simulates a payment.
 *
 * @category headers
 * @since 0.1.0
 */
export const policyWithForm: string = policyOf("'self'")
