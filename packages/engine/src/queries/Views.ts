/**
 * States as the interface shows them (interface section 2).
 *
 * @since 0.1.0
 */
import type { Brand, CardOfRetry, CardOfSubscription, CardOfTransaction } from "@parcela/core/cards/Card"
import { cardBrands } from "@parcela/core/cards/CardBrand"
import type { CardState } from "@parcela/core/cards/CardState"
import type { ChargeOfTransaction } from "@parcela/core/charges/Charge"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { Customer } from "@parcela/core/customers/Customer"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { fromEpochMillis } from "@parcela/core/time/WallClock"
import type { Subscription, SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { Transaction, TransactionOfRetry, TransactionOfSubscription } from "@parcela/core/transactions/Transaction"
import {
  documentKeyOf,
  feeOf,
  pixChargeOf,
  slipOf,
  type TransactionState
} from "@parcela/core/transactions/TransactionState"
import { statusDescriptions } from "@parcela/core/transactions/TransactionStatus"
import type { OwnerNames, PaymentOwner } from "../ports/PaymentOwner.ts"
import type { SettingsShape } from "../Settings.ts"
import type { ListedSubscription } from "../ports/Subscriptions.ts"
import type { TransactionWithCard } from "../ports/Transactions.ts"

/** The fields that have a value; an absent one is left out, never `null`. */
const present = <Fields extends Record<string, unknown>>(
  fields: Fields
): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } => {
  const kept: Record<string, unknown> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  // Those that are left out are the optional ones.
  return kept as { [K in keyof Fields]?: Exclude<Fields[K], undefined> }
}

const brandOf = (card: CardState): Brand => cardBrands[card.brand]

const plainCard = (card: CardState, { zone }: SettingsShape): CardOfRetry => ({
  ...present({ myId: card.myId }),
  svcPayId: card.id,
  number: card.mask,
  createdAt: fromEpochMillis(card.createdAt, zone),
  updatedAt: fromEpochMillis(card.updatedAt, zone),
  expiresAt: card.expiresAt
})

const cardOfTransaction = (card: CardState, settings: SettingsShape): CardOfTransaction => ({
  ...plainCard(card, settings),
  Brand: brandOf(card)
})

const cardOfSubscription = (card: CardState, settings: SettingsShape): CardOfSubscription => ({
  ...cardOfTransaction(card, settings),
  isBackup: false
})

const customer = (state: CustomerState, { zone }: SettingsShape): Customer => ({
  svcPayId: state.id,
  ...present({ myId: state.myId }),
  name: state.name,
  document: state.document,
  emails: state.emails,
  phones: state.phones,
  createdAt: fromEpochMillis(state.createdAt, zone),
  updatedAt: fromEpochMillis(state.updatedAt, zone),
  ...present({ Address: state.address })
})

/**
 * A transaction with what the interface shows beside it.
 *
 * @category models
 * @since 0.1.0
 */
export interface TransactionParts extends TransactionWithCard {
  readonly owner: OwnerNames
}

/**
 * A transaction with all that its deliveries show.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shown extends TransactionParts {
  readonly owner: PaymentOwner
  readonly customer: CustomerState
}

/** The card operator's responses: the last outcome's `tid`, and the last denial though a later try was captured. */
const operatorSaid = (transaction: TransactionState) => {
  const authorization = "authorization" in transaction ? transaction.authorization : undefined
  const denial = "denial" in transaction ? transaction.denial : undefined
  return present({
    reasonDenied: denial?.message,
    tid: transaction.status === "denied" ? denial?.tid : (authorization?.tid ?? denial?.tid),
    authorizationCode: authorization?.code,
    AbecsReasonDenied: denial === undefined ? undefined : { code: denial.code, message: denial.message }
  })
}

const common = (transaction: TransactionState, card: CardState | undefined, settings: SettingsShape) => ({
  myId: transaction.myId,
  svcPayId: transaction.id,
  value: transaction.value,
  payday: transaction.payday,
  payedOutsideSvcPay: transaction.status === "payExternal",
  ...present({ additionalInfo: transaction.additionalInfo }),
  installment: transaction.installment,
  status: transaction.status,
  statusDescription: statusDescriptions[transaction.status],
  ...operatorSaid(transaction),
  ...present({
    CreditCard: card === undefined ? undefined : { Card: cardOfTransaction(card, settings) }
  })
})

const ownerNames = (owner: OwnerNames) =>
  owner._tag === "Subscription"
    ? { subscriptionMyId: owner.subscription.myId, subscriptionSvcPayId: owner.subscription.id }
    : { chargeMyId: owner.charge.myId, chargeSvcPayId: owner.charge.id }

const inRetry = (transaction: TransactionState, owner: OwnerNames, { zone }: SettingsShape) => ({
  ...ownerNames(owner),
  statusDate: fromEpochMillis(transaction.statusAt, zone),
  ...present({
    datetimeLastSentToOperator:
      "lastSentAt" in transaction && transaction.lastSentAt !== undefined
        ? fromEpochMillis(transaction.lastSentAt, zone)
        : undefined,
    fee: feeOf(transaction)
  })
})

const inSubscription = (transaction: TransactionState, { publicUrl }: SettingsShape) => {
  const documents = `${publicUrl}/documents/${transaction.id}/${documentKeyOf(transaction)}`
  const boleto = slipOf(transaction)
  const pix = pixChargeOf(transaction)
  return present({
    Pix:
      pix === undefined
        ? undefined
        : { qrCode: pix.qrCode, reference: pix.txid, image: `${documents}/pix.svg`, page: `${documents}/pix` },
    Boleto:
      boleto === undefined
        ? undefined
        : {
            pdf: `${documents}/boleto.pdf`,
            bankLine: boleto.bankLine,
            bankAgency: boleto.bankAgency,
            bankAccount: boleto.bankAccount
          }
  })
}

const transactionOfSubscription = (
  transaction: TransactionState,
  card: CardState | undefined,
  settings: SettingsShape
): TransactionOfSubscription => ({ ...common(transaction, card, settings), ...inSubscription(transaction, settings) })

/**
 * @category views
 * @since 0.1.0
 */
export const transactionOfRetry = (
  { card, owner, transaction }: TransactionParts,
  settings: SettingsShape
): TransactionOfRetry => ({ ...common(transaction, card, settings), ...inRetry(transaction, owner, settings) })

/**
 * @category views
 * @since 0.1.0
 */
export const transaction = (parts: TransactionParts, settings: SettingsShape): Transaction => ({
  ...transactionOfRetry(parts, settings),
  ...inSubscription(parts.transaction, settings)
})

/**
 * @category views
 * @since 0.1.0
 */
export const cardOfRetry = plainCard

const scheduleOf = ({ schedule }: SubscriptionState) =>
  schedule === undefined
    ? {}
    : {
        value: schedule.value,
        quantity: schedule.quantity ?? 0,
        periodicity: schedule.periodicity,
        firstPayDayDate: schedule.firstPayDay
      }

/**
 * @category views
 * @since 0.1.0
 */
export const subscriptionOfEvent = (
  { card, customer: payer, subscription }: ListedSubscription,
  settings: SettingsShape
): SubscriptionOfEvent => ({
  svcPayId: subscription.id,
  myId: subscription.myId,
  mainPaymentMethodId: subscription.mainPaymentMethodId,
  status: subscription.status,
  ...present({ additionalInfo: subscription.additionalInfo }),
  ...scheduleOf(subscription),
  Customer: customer(payer, settings),
  ...present({
    PaymentMethodCreditCard: card === undefined ? undefined : { Card: cardOfSubscription(card, settings) },
    PaymentMethodBoleto: subscription.boleto,
    PaymentMethodPix: subscription.pix
  })
})

/**
 * A charge with what is shown beside it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeParts {
  readonly charge: ChargeState
  readonly customer: CustomerState
  readonly card: CardState | undefined
}

/**
 * A charge beside one of its payments: what an event carries.
 *
 * @category views
 * @since 0.1.0
 */
export const chargeOfTransaction = (
  { card, charge, customer: payer }: ChargeParts,
  settings: SettingsShape
): ChargeOfTransaction => ({
  svcPayId: charge.id,
  myId: charge.myId,
  mainPaymentMethodId: charge.mainPaymentMethodId,
  value: charge.value,
  status: charge.status,
  createdAt: fromEpochMillis(charge.createdAt, settings.zone),
  updatedAt: fromEpochMillis(charge.updatedAt, settings.zone),
  Customer: customer(payer, settings),
  ...present({
    additionalInfo: charge.additionalInfo,
    planMyId: charge.planMyId,
    planSvcPayId: charge.planId,
    PaymentMethodCreditCard:
      card === undefined && charge.creditCard === undefined
        ? undefined
        : {
            ...present({ Card: card === undefined ? undefined : cardOfTransaction(card, settings) }),
            ...charge.creditCard
          },
    PaymentMethodBoleto: charge.boleto,
    PaymentMethodPix: charge.pix,
    InvoiceConfig: charge.invoiceConfig,
    ExtraFields: charge.extraFields,
    Split: charge.split
  })
})

/**
 * @category views
 * @since 0.1.0
 */
export const subscription = (
  parts: ListedSubscription & { readonly transactions: ReadonlyArray<TransactionWithCard> },
  settings: SettingsShape
): Subscription => ({
  ...subscriptionOfEvent(parts, settings),
  ...present({
    totalTransactions: parts.transactions.length < parts.subscription.payments ? parts.subscription.payments : undefined
  }),
  Transactions: parts.transactions.map(({ card, transaction: state }) =>
    transactionOfSubscription(state, card, settings)
  )
})
