/**
 * What the suites of the store's ports start from: companies and entities that are valid, small and never alike.
 *
 * @since 0.1.0
 */
import { CardExpiry } from "@parcela/core/cards/Card"
import { type CardState, VaultToken } from "@parcela/core/cards/CardState"
import { Cents } from "@parcela/core/money/Cents"
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { LocalDate } from "@parcela/core/time/LocalDate"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { BoletoOpen } from "@parcela/core/transactions/BoletoTransaction"
import type { CardUnsent } from "@parcela/core/transactions/CardTransaction"
import type { PixOpen } from "@parcela/core/transactions/PixTransaction"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { Companies } from "@parcela/engine/ports/Companies"
import type { JournalEntry } from "@parcela/engine/ports/Journal"
import { Sequences } from "@parcela/engine/ports/Sequences"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { putEndpoint, writeChange, writeTransaction } from "./StoreWrites.ts"

/**
 * A store that is empty each time its layer is built. A suite sets up what its port refers to (a transaction needs a
 * subscription), so each one wants all ports.
 *
 * @category models
 * @since 0.1.0
 */
export type StoreLayer = Layer.Layer<StorePorts, unknown>

/**
 * Runs a test on a store of its own.
 *
 * @category running
 * @since 0.1.0
 */
export const onEmptyStore =
  (layer: StoreLayer) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.provide(test, layer, { local: true })

/**
 * The instant `minutes` after the one that all fixtures are from, 2026-09-21 in Brazil.
 *
 * @category constructors
 * @since 0.1.0
 */
export const minute = (minutes: number): BusinessTime & MachineTime =>
  BusinessTime.make(1_790_000_000_000 + minutes * 60_000) as BusinessTime & MachineTime

/**
 * Identifiers of a client system.
 *
 * @category constructors
 * @since 0.1.0
 */
export const myIds = (...texts: ReadonlyArray<string>): ReadonlyArray<MyId> => texts.map((text) => MyId.make(text))

/**
 * The day of `minute(0)`.
 *
 * @category constants
 * @since 0.1.0
 */
export const today: LocalDate = LocalDate.make("2026-09-21")

/**
 * Keeps a new company.
 *
 * @category kept
 * @since 0.1.0
 */
export const keptCompany: Effect.Effect<CompanyState, unknown, StorePorts> = Effect.gen(function* () {
  const companies = yield* Companies
  return yield* companies.insert({ name: "Padaria", scopes: [], allowedAddresses: [], createdAt: minute(0) })
})

/**
 * An entry of the journal for a new customer.
 *
 * @category new
 * @since 0.1.0
 */
export const newEntry = (
  companyId: CompanyId,
  customerId: SvcPayId,
  at: ReturnType<typeof minute> = minute(0)
): JournalEntry => ({
  companyId,
  subject: { kind: "customer", id: String(customerId) },
  at,
  businessAt: at,
  origin: { actor: { _tag: "Service" } },
  events: [{ _tag: "CustomerCreated", customerId }],
  after: { id: customerId }
})

/**
 * A customer that is not kept yet.
 *
 * @category new
 * @since 0.1.0
 */
export const newCustomer = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<CustomerState> = {}
): Effect.fn.Return<CustomerState, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("customer")
  return {
    id,
    companyId,
    myId: MyId.make(`customer ${id}`),
    name: "Ana Souza",
    document: String(id).padStart(11, "0"),
    emails: ["ana@example.com"],
    phones: [11_987_654_321],
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})

/**
 * @category kept
 * @since 0.1.0
 */
export const keptCustomer = Effect.fnUntraced(function* (companyId: CompanyId, changes: Partial<CustomerState> = {}) {
  const customer = yield* newCustomer(companyId, changes)
  yield* writeChange({ table: "customers", next: customer })
  return customer
})

/**
 * A card that is not kept yet, of a customer that is.
 *
 * @category new
 * @since 0.1.0
 */
export const newCard = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<CardState> = {}
): Effect.fn.Return<CardState, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("card")
  return {
    id,
    companyId,
    customerId: changes.customerId ?? (yield* keptCustomer(companyId)).id,
    myId: MyId.make(`card ${id}`),
    vaultToken: VaultToken.make(`vault ${id}`),
    brand: "visa",
    mask: "4111********1111",
    expiresAt: CardExpiry.make("2030-12"),
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})

/**
 * @category kept
 * @since 0.1.0
 */
export const keptCard = Effect.fnUntraced(function* (companyId: CompanyId, changes: Partial<CardState> = {}) {
  const card = yield* newCard(companyId, changes)
  yield* writeChange({ table: "cards", next: card })
  return card
})

/**
 * A subscription that is not kept yet, of a customer that is.
 *
 * @category new
 * @since 0.1.0
 */
export const newSubscription = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<SubscriptionState> = {}
): Effect.fn.Return<SubscriptionState, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("subscription")
  return {
    id,
    companyId,
    myId: MyId.make(`subscription ${id}`),
    customerId: changes.customerId ?? (yield* keptCustomer(companyId)).id,
    status: "active",
    mainPaymentMethodId: "boleto",
    payments: 0,
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})

/**
 * @category kept
 * @since 0.1.0
 */
export const keptSubscription = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<SubscriptionState> = {}
) {
  const subscription = yield* newSubscription(companyId, changes)
  yield* writeChange({ table: "subscriptions", next: subscription })
  return subscription
})

/**
 * A card payment that was added, with its card.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenedByCard = typeof CardUnsent.Type & { readonly cardId: SvcPayId }

type Changes = Partial<Omit<OpenedByCard, "method" | "status" | "companyId">>

/**
 * A card payment that is due today and not kept yet, of a subscription that is.
 *
 * @category new
 * @since 0.1.0
 */
export const newTransaction = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Changes = {}
): Effect.fn.Return<OpenedByCard, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("transaction")
  return {
    id,
    companyId,
    owner: changes.owner ?? { _tag: "Subscription", id: (yield* keptSubscription(companyId)).id },
    myId: MyId.make(`transaction ${id}`),
    method: "creditcard",
    cardId: SvcPayId.make(1),
    value: Cents.make(12_990),
    payday: today,
    installment: 1,
    status: "notSend",
    statusAt: minute(0),
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})

/**
 * @category kept
 * @since 0.1.0
 */
export const keptTransaction = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Changes = {},
  become: (opened: OpenedByCard) => TransactionState = (opened) => opened
) {
  const transaction = become(yield* newTransaction(companyId, changes))
  yield* writeTransaction(transaction)
  return transaction
})

/**
 * What becomes of a new transaction, for the second half of {@link keptTransaction}.
 *
 * @category changes
 * @since 0.1.0
 */
export const captured = (opened: OpenedByCard): TransactionState => ({
  ...taken(opened),
  status: "captured",
  authorization: { tid: `tid-${opened.id}`, code: "012345" }
})

/**
 * @category changes
 * @since 0.1.0
 */
export const denied = (opened: OpenedByCard): TransactionState => ({
  ...taken(opened),
  status: "denied",
  denial: { code: "51", message: "no funds", tid: `denied-${opened.id}` }
})

const taken = (opened: OpenedByCard) => {
  const { underWay: _, ...free } = opened
  return { ...free, lastSentAt: minute(0) }
}

const withoutCard = (opened: OpenedByCard) => {
  const { cardId: _, lastSentAt: __, underWay: ___, ...rest } = opened
  return rest
}

/**
 * A boleto that is registered.
 *
 * @category changes
 * @since 0.1.0
 */
export const registeredBoleto =
  (documentKey: string, bank: { readonly ourNumber?: string } = {}) =>
  (opened: OpenedByCard): typeof BoletoOpen.Type => ({
    ...withoutCard(opened),
    method: "boleto",
    status: "pendingBoleto",
    registration: {
      slip: {
        barcode: String(opened.id).padStart(44, "0"),
        bankLine: "0".repeat(47),
        bankAgency: "0001",
        bankAccount: "12345",
        ...bank
      },
      documentKey,
      at: minute(0),
      terms: {}
    }
  })

/**
 * A Pix that is opened.
 *
 * @category changes
 * @since 0.1.0
 */
export const openedPix =
  (documentKey: string) =>
  (opened: OpenedByCard): typeof PixOpen.Type => ({
    ...withoutCard(opened),
    method: "pix",
    status: "pendingPix",
    registration: {
      charge: { txid: String(opened.id).padStart(26, "a"), qrCode: "000201" },
      documentKey,
      at: minute(0),
      terms: {}
    }
  })

/**
 * An endpoint of a company for every event.
 *
 * @category kept
 * @since 0.1.0
 */
export const keptEndpoint = (companyId: CompanyId) =>
  putEndpoint(companyId, { url: "https://receiver.example/hooks", events: WebhookEvent.literals }, minute(0))
