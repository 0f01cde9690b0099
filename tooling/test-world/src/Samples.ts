/**
 * The people, cards and request bodies that tests use, and the time at which their worlds start.
 */

/** 2026-09-21, 11:13:20 in Brazil, in milliseconds since 1970. */
export const start = 1_790_000_000_000
export const today = "2026-09-21"
export const tomorrow = "2026-09-22"

export const cpf = "52998224725"
export const otherCpf = "11144477735"
export const ana = { myId: "ana", name: "Ana Souza", document: cpf, emails: ["ana@example.com"] }

export const address = {
  zipCode: "01310100",
  street: "Paulista",
  number: "1",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP"
}

/** Numbers by what the simulated operator does with them. */
export const cards = { captured: "4111111111111111", denied: "4000000000000002", deniedAtFirst: "4000000000000341" }

export const cvv = "9517"

/** The card of a request. */
export const card = (number: string, changes: object = {}) => ({
  Card: { number, holder: "ANA SOUZA", expiresAt: "2099-12", cvv, ...changes }
})

/** The method of a charge that is paid by this card. */
export const cardMethod = (number: string, terms: object = {}) => ({
  mainPaymentMethodId: "creditcard",
  PaymentMethodCreditCard: { ...card(number), ...terms }
})

/** A manual subscription of Ana that is paid by this card. */
export const byCard = (number: string, myId = "sub") => ({ myId, ...cardMethod(number), Customer: ana })

/** A manual subscription of Ana that is paid by boleto or Pix. */
export const byCode = (mainPaymentMethodId: "boleto" | "pix", myId = "sub") => ({
  myId,
  mainPaymentMethodId,
  Customer: ana
})

export const byPix = (myId = "sub") => byCode("pix", myId)

/** A subscription of 19.90 a month by Pix, from today on and without end. */
export const monthly = (myId = "sub") => ({
  ...byPix(myId),
  value: 1990,
  quantity: 0,
  periodicity: "monthly",
  firstPayDayDate: today
})

/** A payment of 19.90. */
export const payment = (myId: string, payday = today) => ({ myId, value: 1990, payday })

/** A charge of 19.90 that is due today and paid as `by` says. */
export const charge = (by: object, myId = "c") => ({ ...by, ...payment(myId) })

/** A plan of twelve monthly payments of 19.90 by Pix. */
export const plan = {
  myId: "box",
  name: "Box",
  periodicity: "monthly",
  quantity: 12,
  PlanPrices: [{ payment: "pix", value: 1990 }]
}
