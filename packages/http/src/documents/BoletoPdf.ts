/**
 * The slip behind `Boleto.pdf` (interface section 2.6): one A4 page with the payer's receipt and, below it, the form
 * that banks read ("ficha de compensação").
 *
 * FEBRABAN's manual wants a form of 170 to 216 mm by 95 to 108 mm (this one has 180 by 105), and bars of 103 mm by
 * 13 mm.
 *
 * @since 0.1.0
 */
import * as BankLine from "@parcela/core/boleto/BankLine"
import * as BoletoBarcode from "@parcela/core/boleto/BoletoBarcode"
import { toItf, units } from "@parcela/core/boleto/BoletoBarcode"
import * as Cents from "@parcela/core/money/Cents"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { dateAt, saoPaulo } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { PaymentMethodBoleto } from "@parcela/core/paymentMethods/PaymentMethod"
import type { BoletoSlip } from "@parcela/core/transactions/RegisteredTransaction"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Texts from "./Texts.ts"
import { type Beneficiary, closedNotice, termTexts } from "./Texts.ts"
import * as Sheet from "./Sheet.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface BoletoPdfInput {
  readonly slip: BoletoSlip
  readonly transaction: Pick<TransactionState, "id" | "status" | "value" | "payday" | "createdAt" | "additionalInfo">
  readonly terms: PaymentMethodBoleto
  readonly customer: CustomerState
  readonly beneficiary: Beneficiary
  /** The zone of the slip's issue date; São Paulo by default. */
  readonly zone?: DateTime.TimeZone
  /** The link that simulates the payment in a sandbox, printed on the page. */
  readonly simulatedAt?: string | undefined
}

/**
 * Returns the bytes of the PDF, identical for identical input. If the boleto must not be paid, the page states this and
 * has neither bars nor bank line. Fails if the barcode of the slip is invalid, because no bank could read the slip.
 *
 * **Details**
 *
 * The bank line is computed from the barcode, so the two cannot differ. The PDF uses the standard fonts of every
 * reader; letters outside Western European alphabets are printed as plain letters or `?`.
 *
 * @category rendering
 * @since 0.1.0
 */
export const boletoPdf = (input: BoletoPdfInput): Effect.Effect<Uint8Array, BoletoBarcode.BoletoBarcodeError> =>
  Effect.gen(function* () {
    const barcode = yield* Effect.fromResult(BoletoBarcode.parse(input.slip.barcode))
    // Loaded when the first slip is drawn, because loading takes a sixth of the server's start.
    const { default: PdfDocument } = yield* Effect.promise(() => import("pdfkit"))
    return yield* Effect.callback<Uint8Array>((resume) => {
      const pdf = new PdfDocument({
        size: "A4",
        margin: 0,
        lang: "pt-BR",
        info: { Title: `Boleto ${input.transaction.id}`, CreationDate: new Date(input.transaction.createdAt) }
      })
      const chunks: Array<Buffer> = []
      pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
      pdf.on("end", () => resume(Effect.succeed(new Uint8Array(Buffer.concat(chunks)))))
      drawPage(Sheet.make(pdf), input, barcode)
      if (input.simulatedAt !== undefined && closedNotice(input.transaction.status, "boleto") === undefined) {
        drawLink(pdf, input.simulatedAt)
      }
      pdf.end()
    })
  })

/** Draws the link between the receipt and the form, in an area that banks do not read. */
const drawLink = (pdf: PDFKit.PDFDocument, link: string): void =>
  void pdf
    .fontSize(11)
    .fillColor("#0645ad")
    .text("Simular pagamento (sandbox)", (left * 72) / 25.4, (160 * 72) / 25.4, { link, underline: true })

const left = 15
const width = 180
const right = 42
const main = width - right

type Barcode = BoletoBarcode.BoletoBarcode

function drawPage(sheet: Sheet.Sheet, input: BoletoPdfInput, barcode: Barcode): void {
  const notice = closedNotice(input.transaction.status, "boleto")
  sheet.text(input.beneficiary.name, { x: left, y: 14, width, height: 6 }, { size: 14, bold: true })
  if (notice !== undefined) {
    sheet.text(notice.title, { x: left, y: 25, width, height: 10 }, { size: 22, bold: true })
    sheet.text(notice.text, { x: left, y: 36, width, height: 10 }, { size: 11 })
    drawCharge(sheet, input, 50, 40)
    return
  }
  const value = Cents.format(input.transaction.value)
  const due = Texts.date(input.transaction.payday)
  sheet.text(`Boleto de ${value}, vencimento em ${due}`, { x: left, y: 21, width, height: 5 }, { size: 10 })
  sheet.text("Recibo do pagador", { x: left, y: 30, width, height: 3 }, { size: 7, bold: true, align: "right" })
  const bottom = drawCharge(sheet, input, drawHeader(sheet, input, barcode, 32), 72)
  sheet.text("Autenticação mecânica", { x: left, y: bottom + 1, width, height: 3 }, { size: 5.5, align: "right" })
  sheet.text("Corte na linha pontilhada", { x: left, y: 167, width, height: 3 }, { size: 6, align: "right" })
  sheet.line([left, 170], [left + width, 170], { dashed: true })
  drawForm(sheet, input, barcode, 174)
}

/** Draws the bank, its number and the bank line that people type. */
function drawHeader(sheet: Sheet.Sheet, { beneficiary }: BoletoPdfInput, barcode: Barcode, y: number): number {
  const bank = barcode.slice(0, 3)
  const code = `${bank}-${beneficiary.bankCheckDigit ?? bankCheckDigit(bank)}`
  const line = BankLine.format(BankLine.fromBarcode(barcode))
  const bottom = y + 9
  const box = (from: number, to: number) => ({ x: left + from, y, width: to - from, height: 8.4 })
  sheet.text(beneficiary.bankName, box(0, 41), { size: 9.5, bold: true, atBottom: true })
  sheet.text(code, box(42, 61), { size: 12, bold: true, align: "center", atBottom: true })
  sheet.text(line, box(62, width), { size: 11, bold: true, align: "right", atBottom: true })
  for (const x of [left + 42, left + 61]) sheet.line([x, y + 2.5], [x, bottom], { thickness: 1 })
  return bottom
}

/** Draws the payer's receipt and returns the `y` below it. */
function drawCharge(sheet: Sheet.Sheet, input: BoletoPdfInput, top: number, detailsHeight: number): number {
  const { beneficiary, customer, slip, terms, transaction } = input
  const row = (y: number, height: number, cells: ReadonlyArray<Sheet.Cell>) => sheet.row(cells, { x: left, y }, height)
  let y = row(top, 11, [
    { width: main - right, label: "Beneficiário", text: [beneficiary.name, beneficiary.address ?? ""] },
    atRight("Agência/Código do beneficiário", agencyAndAccount(slip)),
    atRight("Nosso número", ourNumber(input))
  ])
  y = row(y, 8, [
    { width: 38, label: "Número do documento", text: documentNumber({ terms, transaction }) },
    { width: main - right - 38, label: "CPF/CNPJ do beneficiário", text: Texts.document(beneficiary.document) },
    atRight("Vencimento", Texts.date(transaction.payday), true),
    atRight("Valor do documento", Cents.format(transaction.value), true)
  ])
  y = row(y, 8, [
    { width: main, label: "Pagador", text: customer.name },
    atRight("CPF/CNPJ do pagador", Texts.document(customer.document))
  ])
  return row(y, detailsHeight, [{ width, label: "Demonstrativo", text: transaction.additionalInfo ?? "", size: 9 }])
}

function drawForm(sheet: Sheet.Sheet, input: BoletoPdfInput, barcode: Barcode, top: number): void {
  const { beneficiary, customer, slip, terms, transaction, zone = saoPaulo } = input
  const made = Texts.date(dateAt(transaction.createdAt, zone))
  const address = customer.address === undefined ? "" : Texts.address(customer.address)
  const row = (y: number, height: number, cells: ReadonlyArray<Sheet.Cell>) => sheet.row(cells, { x: left, y }, height)

  let y = drawHeader(sheet, input, barcode, top)
  y = row(y, 7, [
    {
      width: main,
      label: "Local de pagamento",
      text: "Pagável em qualquer banco, até o vencimento ou no prazo das instruções"
    },
    atRight("Vencimento", Texts.date(transaction.payday), true)
  ])
  y = row(y, 10, [
    { width: main - right, label: "Beneficiário", text: [beneficiary.name, beneficiary.address ?? ""], size: 7.5 },
    { width: right, label: "CPF/CNPJ do beneficiário", text: Texts.document(beneficiary.document) },
    atRight("Agência/Código do beneficiário", agencyAndAccount(slip))
  ])
  y = row(y, 7, [
    { width: 28, label: "Data do documento", text: made },
    { width: 40, label: "Número do documento", text: documentNumber({ terms, transaction }) },
    { width: 22, label: "Espécie doc.", text: beneficiary.kind ?? "OU" },
    { width: 16, label: "Aceite", text: "N" },
    { width: 32, label: "Data do processamento", text: made },
    atRight("Nosso número", ourNumber(input))
  ])
  y = row(y, 7, [
    { width: 28, label: "Uso do banco" },
    { width: 22, label: "Carteira", text: beneficiary.wallet ?? "" },
    { width: 18, label: "Espécie", text: "R$" },
    { width: 38, label: "Quantidade" },
    { width: 32, label: "(x) Valor" },
    atRight("(=) Valor do documento", Cents.format(transaction.value), true)
  ])
  y = drawInstructions(sheet, instructions(terms, transaction.payday), y)
  y = row(y, 11, [
    { width: main, label: "Pagador", text: [customer.name, address], size: 7.5 },
    atRight("CPF/CNPJ do pagador", Texts.document(customer.document))
  ])
  y = row(y, 6, [{ width: main, label: "Beneficiário final" }, atRight("Cód. de baixa")])
  const below = { x: left, y: y + 1, height: 3 }
  sheet.text("Autenticação mecânica", { ...below, width: width - 40 }, { size: 5.5, align: "right" })
  sheet.text("Ficha de compensação", { ...below, width }, { size: 7, bold: true, align: "right" })
  sheet.bars(bars(barcode, left + 5, y + 3))
}

/** Draws the instructions and, next to them, the fields that the bank may fill in. */
function drawInstructions(sheet: Sheet.Sheet, text: ReadonlyArray<string>, top: number): number {
  const height = 6.4
  const amounts = [
    "(-) Desconto/Abatimento",
    "(-) Outras deduções",
    "(+) Mora/Multa",
    "(+) Outros acréscimos",
    "(=) Valor cobrado"
  ]
  sheet.cell(
    { label: "Instruções (texto de responsabilidade do beneficiário)", text },
    { x: left, y: top, width: main, height: amounts.length * height }
  )
  return amounts.reduce((y, label) => sheet.row([atRight(label)], { x: left + main, y }, height), top)
}

function atRight(label: string, text = "", bold = false): Sheet.Cell {
  return { width: right, label, text, bold, align: "right" }
}

/** Returns the bars of a barcode, 103 mm by 13 mm. */
function bars(barcode: Barcode, x: number, y: number): ReadonlyArray<Sheet.Box> {
  const unit = 103 / units
  const boxes: Array<Sheet.Box> = []
  let from = 0
  ;[...toItf(barcode)].forEach((element, index) => {
    if (index % 2 === 0) boxes.push({ x: x + from * unit, y, width: Number(element) * unit, height: 13 })
    from += Number(element)
  })
  return boxes
}

function instructions(terms: PaymentMethodBoleto, payday: LocalDate): ReadonlyArray<string> {
  const { deadlineDays, instructions: own = "" } = terms
  const lines = [own, ...termTexts(terms, payday)]
  if (deadlineDays === 0) lines.push("Não receber após o vencimento.")
  else if (deadlineDays !== undefined) {
    lines.push(`Não receber após ${deadlineDays} ${deadlineDays === 1 ? "dia" : "dias"} do vencimento.`)
  }
  return lines
}

/** Returns the document number from the company, or else the payment's number. */
function documentNumber({ terms, transaction }: Pick<BoletoPdfInput, "terms" | "transaction">): string {
  const { documentNumber: given = "" } = terms
  return given === "" ? String(transaction.id) : given
}

/**
 * Returns the number for "nosso número". Each bank stores its own in another part of the free field, so this is the
 * payment's number.
 */
function ourNumber({ beneficiary, transaction }: BoletoPdfInput): string {
  const number = String(transaction.id).padStart(11, "0")
  return beneficiary.wallet === undefined ? number : `${beneficiary.wallet}/${number}`
}

function agencyAndAccount({ bankAccount, bankAgency }: BoletoSlip): string {
  return `${bankAgency} / ${bankAccount}`
}

/** Modulo 11 with weights 4, 3, 2; a result of 10 or 11 is printed as `0`. */
function bankCheckDigit(bank: string): number {
  const sum = [4, 3, 2].reduce((total, weight, index) => total + weight * Number(bank[index]), 0)
  return ((11 - (sum % 11)) % 11) % 10
}
