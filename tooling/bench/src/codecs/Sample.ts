/** A full subscription as the wire carries it: every field of interface section 2, with twelve payments. */

const brand = { id: "mastercard", name: "Mastercard", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" }

const card = {
  myId: "card-1",
  svcPayId: 3,
  number: "5451*********1515",
  createdAt: "2026-01-15 09:30:00",
  updatedAt: "2026-01-15 09:30:00",
  expiresAt: "2030-12",
  Brand: brand
}

const payment = (installment: number) => ({
  myId: `payment-${installment}`,
  svcPayId: 100 + installment,
  value: 12_990,
  payday: `2026-${String(installment).padStart(2, "0")}-20`,
  payedOutsideSvcPay: false,
  additionalInfo: "Plano anual: obrigado pela preferência",
  installment,
  status: "denied",
  statusDescription: "Negada na operadora",
  reasonDenied: "Saldo insuficiente",
  tid: "10069930690009F2D2A5",
  authorizationCode: "302851",
  AbecsReasonDenied: { code: "51", message: "Saldo ou limite insuficiente" },
  CreditCard: { Card: card },
  Pix: {
    qrCode: "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000",
    reference: "7d9f0335",
    image: "https://pay.example.com/pix/7d9f0335.png",
    page: "https://pay.example.com/pix/7d9f0335"
  },
  Boleto: {
    pdf: "https://pay.example.com/boleto/4f2a.pdf",
    bankLine: "34191.79001 01043.510047 91020.150008 1 84410026000",
    bankAgency: "3153",
    bankAccount: "19482-1"
  },
  Transaction3DS: { urlAuthentication: "https://pay.example.com/3ds/4f2a" }
})

export const sample = {
  svcPayId: 1,
  myId: "contract-1",
  mainPaymentMethodId: "creditcard",
  status: "active",
  additionalInfo: "Cliente desde 2019",
  Customer: {
    svcPayId: 2,
    myId: "customer-1",
    name: "Maria Souza de Araújo",
    document: "52998224725",
    emails: ["maria@example.com", "financeiro@example.com"],
    phones: [11987654321, 1133334444],
    createdAt: "2026-01-15 09:30:00",
    updatedAt: "2026-06-01 12:00:00",
    Address: {
      zipCode: "01310100",
      street: "Avenida Paulista",
      number: "1578",
      complement: "Conjunto 12",
      neighborhood: "Bela Vista",
      city: "São Paulo",
      state: "SP"
    }
  },
  PaymentMethodCreditCard: { Card: { ...card, isBackup: false } },
  PaymentMethodBoleto: { fine: 200, interest: 100, instructions: "Não receber após o vencimento", deadlineDays: 59 },
  PaymentMethodPix: {
    fine: 200,
    interest: 100,
    instructions: "Obrigado",
    Deadline: { type: "days", value: 30 }
  },
  Transactions: Array.from({ length: 12 }, (_, index) => payment(index + 1))
}

/** The same with one thing wrong in its last payment; every contender must refuse each. */
export const wrong: ReadonlyArray<unknown> = [
  { payday: "2026-02-30" },
  { status: "unknown" },
  { value: 12.5 },
  { tid: "x".repeat(256) },
  { additionalInfo: "\u0000" }
].map((fault) => ({
  ...sample,
  Transactions: sample.Transactions.map((transaction, index) =>
    index === 11 ? { ...transaction, ...fault } : transaction
  )
}))
