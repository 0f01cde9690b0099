/**
 * The customer and card of a new charge or subscription. Either may be new, and is then written in the same
 * transaction.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { decideCustomer, type OtherMyId } from "@parcela/core/customers/CustomerDecider"
import type { CustomerInput } from "@parcela/core/customers/CustomerInput"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import type { RefusalsOf, Change, Decided } from "../command/Decided.ts"
import type { FoundPayer } from "../command/LoadedPayments.ts"
import { own, type RequestedCard } from "../cards/CardVaulting.ts"

/**
 * The inputs of a decision about a payer, generated before the database transaction.
 *
 * @category models
 * @since 0.1.0
 */
export interface PayerOptions {
  readonly companyId: CompanyId
  /** The identifier for a new customer. */
  readonly customerId: SvcPayId
  readonly requested: RequestedCard | undefined
  /** The rule for a known document with a different `myId`. */
  readonly otherMyId: OtherMyId
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Payer extends Pick<Decided<unknown>, "changes" | "events" | "guards"> {
  readonly customer: CustomerState
  readonly card: CardState | undefined
}

/**
 * Returns the rule for a known document with a different `myId`. Shops with family names use a new `myId` for every
 * order, so their returning customers must be accepted.
 *
 * @category conversions
 * @since 0.1.0
 */
export const otherMyIdIn = (naming: NamingProfile): OtherMyId => (naming.name === svcPay.name ? "refuse" : "keep")

/**
 * Returns the refusal for a load without a company. The company sent the request, so the company exists.
 *
 * @category errors
 * @since 0.1.0
 */
export const noPayer = (): RefusedBy<"CustomerNotFound"> => refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] })

/**
 * Returns the customer and card of a request, with the changes that create or update them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const payerOf = (
  input: CustomerInput,
  { companyId, customerId, otherMyId, requested }: PayerOptions,
  found: FoundPayer,
  now: BusinessTime
): Result.Result<Payer, RefusalsOf<typeof decideCustomer | typeof own>> => {
  const decided = decideCustomer(input, found.customers, { companyId, id: customerId, now, otherMyId })
  if (Result.isFailure(decided)) return Result.fail(decided.failure)
  const { events, next: customer } = decided.success
  const owner = { companyId, customerId: customer.id, now }
  const owned = requested === undefined ? undefined : own(requested, found.cards, owner)
  if (owned !== undefined && Result.isFailure(owned)) return Result.fail(owned.failure)
  const known = foundAs(found.customers, customer.id)
  const version = found.versions.get(customer.id)
  const isChanged = known === undefined || events.length > 0
  const changed: ReadonlyArray<Change> = isChanged ? [{ table: "customers", before: known, next: customer }] : []
  return Result.succeed({
    customer,
    card: owned?.success.card,
    guards: version === undefined ? [] : [{ table: "customers", id: customer.id, version }],
    changes: [...changed, ...(owned?.success.changes ?? [])],
    events: [...events, ...(owned?.success.events ?? [])]
  })
}

const foundAs = (
  { byDocument, byMyId, bySvcPayId }: FoundPayer["customers"],
  id: SvcPayId
): CustomerState | undefined => [bySvcPayId, byMyId, byDocument].find((customer) => customer?.id === id)

/**
 * Returns the customer and card of an entity that an earlier run wrote. The reply to that run's COMMIT was lost.
 *
 * @category decisions
 * @since 0.1.0
 */
export const writtenPayer = (
  { cardId, customerId }: { readonly customerId: SvcPayId; readonly cardId?: SvcPayId | undefined },
  { cards, customers }: FoundPayer
): { readonly customer: CustomerState; readonly card: CardState | undefined } | undefined => {
  const customer = foundAs(customers, customerId)
  if (customer === undefined) return undefined
  const card = [cards.bySvcPayId, cards.byMyId, ...cards.byVaultToken].find(
    (known) => known !== undefined && known.id === cardId
  )
  return { customer, card }
}
