/**
 * What commands on the entities of a company's registers load: one that is its own root, or is to be.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardState } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { CustomerStanding } from "@parcela/core/customers/CustomerStatus"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyContext } from "./CompanyContext.ts"
import type { FoundCards } from "./FoundCards.ts"
import type { Guard } from "./Guard.ts"

/**
 * What a new entity rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewEntityContext<State> extends CompanyContext {
  /** The entity itself, where an earlier run wrote it whose COMMIT had no reply. */
  readonly written: State | undefined
  readonly sameMyId: State | undefined
}

/**
 * An entity that is its own root.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityContext<State> extends CompanyContext {
  readonly guard: Guard
  readonly entity: State
  /** What has the `myId` that the entity is to get. */
  readonly sameMyId: State | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewCustomerContext extends NewEntityContext<CustomerState> {
  readonly sameDocument: CustomerState | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CustomerContext extends EntityContext<CustomerState> {
  /** What has the document that the customer is to get. */
  readonly sameDocument: CustomerState | undefined
  readonly standing: CustomerStanding
}

/**
 * What a new card of a customer rests on. The customer is the root of its cards.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewCardContext extends CompanyContext {
  readonly guard: Guard
  readonly customer: CustomerState
  readonly cards: FoundCards
  /** The customer's backup card, if there is one. */
  readonly backups: ReadonlyArray<CardState>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CardContext extends CompanyContext {
  /** That of the customer. */
  readonly guard: Guard
  readonly entity: CardState
  readonly customer: CustomerState
  /** Whether a live subscription or charge is paid with it, or a payment that is to be made. */
  readonly isInUse: boolean
}

/**
 * What a new entity is asked with: the identifier that it gets, and its `myId` if it has one.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewEntityArgs {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly myId?: MyId | undefined
}

/**
 * What an entity is asked with, and the `myId` that it is to get if that changes.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityArgs {
  readonly companyId: CompanyId
  readonly ref: EntityRef
  readonly myId?: MyId | undefined
}

/**
 * The document that a customer is to get, if it changes.
 *
 * @category models
 * @since 0.1.0
 */
export interface WithDocument {
  readonly document?: string | undefined
}
