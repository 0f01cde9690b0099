/**
 * Who pays what is created, and with which card: known, or new and then written with it.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { decideCustomer, type OtherMyId } from "@parcela/core/customers/CustomerDecider"
import type { CustomerInput } from "@parcela/core/customers/CustomerInput"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import type { RefusalsOf } from "../command/Command.ts"
import type { Change, Decided } from "../command/Decided.ts"
import type { FoundPayer } from "../command/LoadedPayments.ts"
import { own, type RequestedCard } from "../cards/RequestedCard.ts"

/**
 * What a payer is decided with, taken before the unit.
 *
 * @category models
 * @since 0.1.0
 */
export interface PayerOptions {
  readonly companyId: CompanyId
  /** The identifier of the customer, if it turns out to be new. */
  readonly customerId: SvcPayId
  readonly requested: RequestedCard | undefined
  /** What becomes of a known document under another `myId`. */
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
 * What becomes of a known document under another `myId`: shops of the family name a buyer anew for each order, and a
 * returning one must get through there.
 *
 * @category conversions
 * @since 0.1.0
 */
export const otherMyIdIn = (naming: NamingProfile): OtherMyId => (naming.name === svcPay.name ? "refuse" : "keep")

/**
 * What is created for a payer has no other root than its company: one that is not there cannot have sent the request.
 *
 * @category errors
 * @since 0.1.0
 */
export const noPayer = (): RefusedBy<"CustomerNotFound"> => refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] })

/**
 * The customer and the card that a request means, with what is written for them.
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
 * The customer and the card of what an earlier run wrote, whose COMMIT had no reply.
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
