/**
 * The views of entities in responses and deliveries: one function per entity, with all fields.
 *
 * The schema of a response selects fields from a view (`Picking` in core). Selecting is fastest if the fields have the
 * order of the schema. A view uses only loaded data.
 *
 * @since 0.1.0
 */
import type { Chargeback } from "@parcela/core/transactions/Chargeback"
import type { Card } from "@parcela/core/cards/Card"
import { cardBrands } from "@parcela/core/cards/CardBrand"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { Charge } from "@parcela/core/charges/Charge"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { Customer } from "@parcela/core/customers/Customer"
import type { CustomerStatus, CustomerState } from "@parcela/core/customers/CustomerState"
import type { View } from "@parcela/core/json/ResponseSerializer"
import { translated } from "@parcela/core/language/Translation"
import { fromEpochMillis } from "@parcela/core/time/Instant"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { ListedTransaction } from "@parcela/core/transactions/ListedTransaction"
import type { Transaction } from "@parcela/core/transactions/Transaction"
import { feeOf, paidOf, paidOn, reversedOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import { statusDescriptions } from "@parcela/core/transactions/TransactionStatus"
import type { PaymentOwner, ShownOwner } from "../ports/PaymentOwner.ts"
import type { SettingsShape } from "../Settings.ts"
import type { ListedSubscription } from "../ports/Subscriptions.ts"
import type { TransactionWithCard } from "../ports/Transactions.ts"
import { cardTerms, lastSent, operatorFields, registered } from "./PaymentFields.ts"

/**
 * Returns the view of a customer. `status` is included if given.
 *
 * @category views
 * @since 0.1.0
 */
export const customer = (
  state: CustomerState,
  { zone }: SettingsShape,
  status?: CustomerStatus | undefined
): View<Customer> => ({
  svcPayId: state.id,
  myId: state.myId,
  name: state.name,
  document: state.document,
  emails: state.emails,
  phones: state.phones,
  createdAt: fromEpochMillis(state.createdAt, zone),
  updatedAt: fromEpochMillis(state.updatedAt, zone),
  Address: state.address,
  status,
  invoiceHoldIss: state.invoiceHoldIss,
  municipalDocument: state.municipalDocument,
  ExtraFields: state.extraFields ?? []
})

/**
 * Returns the view of a card. `owner` is its customer, if loaded.
 *
 * @category views
 * @since 0.1.0
 */
export const card = (
  state: CardState,
  { zone }: SettingsShape,
  owner?: Pick<CustomerState, "myId"> | undefined
): View<Card> => ({
  myId: state.myId,
  svcPayId: state.id,
  number: state.mask,
  createdAt: fromEpochMillis(state.createdAt, zone),
  updatedAt: fromEpochMillis(state.updatedAt, zone),
  expiresAt: state.expiresAt,
  customerSvcPayId: state.customerId,
  customerMyId: owner?.myId,
  Brand: cardBrands[state.brand],
  isBackup: state.isBackup ?? false,
  status: state.status ?? "active"
})

/**
 * The shared views of one page. A state that several rows contain is rendered once, and the response serializes it
 * once.
 *
 * @category models
 * @since 0.1.0
 */
export class Page {
  readonly #shown = new Map<object, { readonly payer: object | undefined; readonly view: unknown }>()

  /** Returns the view of a state with its payer. The same state must always be rendered by the same function. */
  once<A>(state: object, payer: object | undefined, show: () => A): A {
    const found = this.#shown.get(state)
    // The cached view of this state, rendered by the same function.
    if (found !== undefined && found.payer === payer) return found.view as A
    const view = show()
    this.#shown.set(state, { payer, view })
    return view
  }
}

/** The cache of shared views. */
type Shared = Pick<Page, "once">

/** No cache: a single row contains few repeated states, so caching would cost more than rendering. */
const noCache: Shared = { once: (_state, _payer, show) => show() }

/**
 * A transaction with its owner, customer and card.
 *
 * @category models
 * @since 0.1.0
 */
export interface TransactionParts extends TransactionWithCard {
  readonly owner: ShownOwner
  readonly customer: CustomerState
}

/**
 * A transaction with the data that its deliveries contain.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentSnapshot extends TransactionParts {
  readonly owner: PaymentOwner
}

/** The owner's fields in a transaction view. */
type OwnerFields = Pick<
  View<ListedTransaction>,
  "subscriptionMyId" | "subscriptionSvcPayId" | "chargeMyId" | "chargeSvcPayId" | "Charge" | "Subscription"
>

const noOwner: OwnerFields = {}

/** Returns the view of a transaction. Listing the fields is faster than spreading several objects. */
const payment = (
  { card: paying, transaction }: TransactionWithCard,
  payer: CustomerState,
  settings: SettingsShape,
  page: Shared,
  ownerFields: OwnerFields = noOwner
) => {
  const { zone } = settings
  const sentAt = lastSent(transaction)
  const { AbecsReasonDenied, authorizationCode, reasonDenied, tid } = operatorFields(transaction, settings)
  const { Antifraud, cardOperatorId } = cardTerms(transaction)
  const { Boleto, Pix } = registered(transaction, settings)
  return {
    myId: transaction.myId,
    svcPayId: transaction.id,
    value: transaction.value,
    payday: transaction.payday,
    payedOutsideSvcPay: transaction.status === "payExternal",
    additionalInfo: transaction.additionalInfo,
    installment: transaction.installment,
    status: transaction.status,
    statusDescription: translated(statusDescriptions[transaction.status], settings.language),
    reasonDenied,
    tid,
    authorizationCode,
    AbecsReasonDenied,
    CreditCard:
      paying === undefined ? undefined : { Card: page.once(paying, payer, () => card(paying, settings, payer)) },
    subscriptionMyId: ownerFields.subscriptionMyId,
    subscriptionSvcPayId: ownerFields.subscriptionSvcPayId,
    datetimeLastSentToOperator: sentAt === undefined ? undefined : fromEpochMillis(sentAt, zone),
    fee: feeOf(transaction),
    statusDate: fromEpochMillis(transaction.statusAt, zone),
    Pix,
    Boleto,
    createdAt: fromEpochMillis(transaction.createdAt, zone),
    paydayDate: paidOn(transaction, zone),
    chargeMyId: ownerFields.chargeMyId,
    chargeSvcPayId: ownerFields.chargeSvcPayId,
    cardOperatorId,
    Antifraud,
    ConciliationOccurrences: [],
    paidValue: paidOf(transaction),
    reversedValue: reversedOf(transaction) || undefined,
    Charge: ownerFields.Charge,
    Subscription: ownerFields.Subscription
  }
}

/**
 * Returns the view of a payment's dispute. A payment has at most one dispute, so the dispute has the payment's
 * identifier.
 *
 * @category views
 * @since 0.1.0
 */
export const chargeback = (
  { owner, transaction: { id, ...state } }: TransactionParts,
  { zone }: SettingsShape
): View<Chargeback> | undefined => {
  const opened = state.status === "chargeback" ? state.dispute : undefined
  if (opened === undefined) return undefined
  return {
    svcPayId: id,
    // Providers do not report later states of a dispute.
    status: "awaitingDocumentation",
    process: opened.process,
    ...(owner._tag === "Charge" ? { chargeSvcPayId: owner.charge.id, chargeMyId: owner.charge.myId } : {}),
    transactionSvcPayId: id,
    createdAt: fromEpochMillis(opened.at, zone)
  }
}

/**
 * Returns the view of a transaction with the identifiers of its owner.
 *
 * @category views
 * @since 0.1.0
 */
export const ownTransaction = (
  parts: TransactionParts,
  settings: SettingsShape,
  page: Shared = new Page()
): View<Transaction> => payment(parts, parts.customer, settings, page, namesOf(parts.owner))

const namesOf = (owner: ShownOwner) =>
  owner._tag === "Subscription"
    ? { subscriptionMyId: owner.subscription.myId, subscriptionSvcPayId: owner.subscription.id }
    : { chargeMyId: owner.charge.myId, chargeSvcPayId: owner.charge.id }

/**
 * Returns the view of a transaction with the view of its owner.
 *
 * @category views
 * @since 0.1.0
 */
export const transaction = (
  parts: TransactionParts,
  settings: SettingsShape,
  page: Shared = noCache
): View<ListedTransaction> => {
  const { customer: payer, owner } = parts
  const state = owner._tag === "Subscription" ? owner.subscription : owner.charge
  return payment(
    parts,
    payer,
    settings,
    page,
    page.once(state, payer, () => ownerFieldsOf(parts, settings, page))
  )
}

const ownerFieldsOf = (
  { customer: payer, owner, transaction }: TransactionParts,
  settings: SettingsShape,
  page: Shared
): OwnerFields => {
  const contract = { customer: payer, card: "card" in owner ? owner.card : undefined }
  return owner._tag === "Subscription"
    ? {
        ...namesOf(owner),
        Subscription: subscription({ ...contract, subscription: owner.subscription }, settings, page)
      }
    : { ...namesOf(owner), Charge: charge({ ...contract, charge: owner.charge, payment: transaction }, settings, page) }
}

/** Returns the fields that subscriptions and charges share. */
const contract = (
  state: ContractState,
  { card: paying, customer: payer }: { readonly card: CardState | undefined; readonly customer: CustomerState },
  settings: SettingsShape,
  page: Shared
) => ({
  svcPayId: state.id,
  myId: state.myId,
  mainPaymentMethodId: state.mainPaymentMethodId,
  additionalInfo: state.additionalInfo,
  createdAt: fromEpochMillis(state.createdAt, settings.zone),
  updatedAt: fromEpochMillis(state.updatedAt, settings.zone),
  Customer: page.once(payer, undefined, () => customer(payer, settings)),
  PaymentMethodCreditCard:
    paying === undefined && state.creditCard === undefined
      ? undefined
      : {
          Card: paying && page.once(paying, payer, () => card(paying, settings, payer)),
          ...state.creditCard
        },
  PaymentMethodBoleto: state.boleto,
  PaymentMethodPix: state.pix,
  planMyId: state.planMyId,
  planSvcPayId: state.planId,
  InvoiceConfig: state.invoiceConfig,
  ExtraFields: state.extraFields ?? [],
  Split: state.split
})

type ContractState = Pick<SubscriptionState, keyof SubscriptionState & keyof ChargeState>

/** Returns the schedule fields. A manual subscription has no schedule. */
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
 * A subscription with its customer, card and loaded payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionParts extends ListedSubscription {
  readonly transactions?: ReadonlyArray<TransactionWithCard>
}

/**
 * Returns the view of a subscription.
 *
 * @category views
 * @since 0.1.0
 */
export const subscription = (
  parts: SubscriptionParts,
  settings: SettingsShape,
  page: Shared = new Page()
): View<Subscription> => {
  const { subscription: state, transactions = [] } = parts
  return {
    ...contract(state, parts, settings, page),
    status: state.status,
    ...scheduleOf(state),
    totalTransactions: transactions.length < state.payments ? state.payments : undefined,
    Transactions: transactions.map((one) => payment(one, parts.customer, settings, page))
  }
}

/**
 * A charge with its customer, card and loaded payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeParts {
  readonly charge: ChargeState
  readonly customer: CustomerState
  readonly card: CardState | undefined
  readonly transactions?: ReadonlyArray<TransactionWithCard>
  /** The charge's payment, for a view of the charge without `Transactions`. */
  readonly payment?: TransactionState
}

/**
 * Returns the view of a charge.
 *
 * @category views
 * @since 0.1.0
 */
export const charge = (parts: ChargeParts, settings: SettingsShape, page: Shared = new Page()): View<Charge> => {
  const { charge: state, payment: single, transactions = [] } = parts
  const payments = [single, ...transactions.map(({ transaction }) => transaction)]
  return {
    ...contract(state, parts, settings, page),
    status: state.status,
    value: state.value,
    payedOutsideSvcPay: payments.some((one) => one?.status === "payExternal"),
    Transactions: transactions.map((one) => ({
      ...payment(one, parts.customer, settings, page),
      chargeMyId: state.myId,
      chargeSvcPayId: state.id
    }))
  }
}
