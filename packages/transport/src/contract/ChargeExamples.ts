/**
 * The charge of the examples.
 *
 * @since 0.1.0
 */
import { customerRequest, denied, subscriptionOfEvent, transaction } from "./ExampleEntities.ts"

/**
 * A request that works on a sandbox. No other example uses its identifiers.
 *
 * @category examples
 * @since 0.1.0
 */
export const chargeRequest = {
  myId: "example-charge",
  value: 12990,
  payday: "2026-11-20",
  mainPaymentMethodId: "creditcard",
  Customer: customerRequest,
  PaymentMethodCreditCard: {
    Card: { number: "4000000000000341", holder: "ANA LIMA", expiresAt: "2030-12", cvv: "123" },
    qtdInstallments: 3
  },
  ExtraFields: [{ tagName: "ORDER", tagValue: "1001" }]
} as const

const { subscriptionMyId: _myId, subscriptionSvcPayId: _id, ...payment } = transaction

/**
 * @category examples
 * @since 0.1.0
 */
export const charge = {
  svcPayId: 1,
  myId: chargeRequest.myId,
  mainPaymentMethodId: "creditcard",
  value: 12990,
  status: "closed",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:05:01",
  Customer: subscriptionOfEvent.Customer,
  PaymentMethodCreditCard: { ...subscriptionOfEvent.PaymentMethodCreditCard, qtdInstallments: 3 },
  planMyId: null,
  planSvcPayId: null,
  paymentLink: null,
  InvoiceConfig: null,
  ExtraFields: chargeRequest.ExtraFields,
  Contract: null,
  Split: null,
  payedOutsideSvcPay: false,
  Transactions: [
    {
      ...payment,
      myId: "01995e2a-9d1c-7e7b-8e9f-0a1b2c3d4e5f",
      chargeMyId: chargeRequest.myId,
      chargeSvcPayId: 1
    }
  ]
} as const

const { subscriptionMyId: _deniedMyId, subscriptionSvcPayId: _deniedId, ...deniedPayment } = denied

/**
 * The charge in the response to its creation: the provider first denies its card.
 *
 * @category examples
 * @since 0.1.0
 */
export const deniedCharge = {
  ...charge,
  status: "active",
  updatedAt: charge.createdAt,
  Transactions: [
    { ...deniedPayment, myId: charge.Transactions[0].myId, chargeMyId: chargeRequest.myId, chargeSvcPayId: 1 }
  ]
} as const
