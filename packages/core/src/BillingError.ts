/**
 * Why a command is refused. Each refusal maps to one status code and names its `Entity.field` (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { ErrorDetails } from "./ErrorNode.ts"
import { SubscriptionStatus } from "./SubscriptionStatus.ts"
import { TransactionStatus } from "./TransactionStatus.ts"

/**
 * Every refusal with its data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BillingRefusal = Schema.TaggedUnion({
  SubscriptionNotFound: {},
  TransactionNotFound: {},
  CustomerNotFound: {},
  CustomerIncomplete: { missing: Schema.Array(Schema.String) },
  CustomersDiffer: {},
  CardNotFound: {},
  CardMissing: {},
  CardExpired: { expiresAt: Schema.String },
  CardBrandUnknown: {},
  MyIdTaken: { entity: Schema.String, myId: Schema.String },
  SubscriptionNotOpen: { status: SubscriptionStatus },
  PaydayPast: { payday: Schema.String, today: Schema.String },
  ValueTooHigh: { maximum: Schema.Int },
  NotRetriable: { status: TransactionStatus },
  AttemptUnderWay: {},
  AttemptUnknown: {},
  SubscriptionCannot: { cause: Schema.String, status: SubscriptionStatus },
  TransactionCannot: { cause: Schema.String, status: TransactionStatus }
})

/**
 * @category models
 * @since 0.1.0
 */
export type BillingRefusal = typeof BillingRefusal.Type

interface Row<Tag extends BillingRefusal["_tag"]> {
  readonly status: 400 | 404
  readonly field: string
  readonly says: (refusal: Extract<BillingRefusal, { readonly _tag: Tag }>) => string
}

/**
 * Status, field and words of each refusal.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusals: { readonly [Tag in BillingRefusal["_tag"]]: Row<Tag> } = {
  SubscriptionNotFound: {
    status: 404,
    field: "Subscription.svcPayId",
    says: () => "no subscription of this company has that identifier"
  },
  TransactionNotFound: {
    status: 404,
    field: "Transaction.svcPayId",
    says: () => "no transaction of this company has that identifier"
  },
  CustomerNotFound: {
    status: 404,
    field: "Subscription.Customer",
    says: () => "no customer of this company has that identifier"
  },
  CustomerIncomplete: {
    status: 400,
    field: "Subscription.Customer",
    says: ({ missing }) => `a new customer needs ${missing.join(", ")}`
  },
  CustomersDiffer: {
    status: 400,
    field: "Subscription.Customer",
    says: () => "svcPayId, myId and document belong to different customers"
  },
  CardNotFound: {
    status: 400,
    field: "PaymentMethodCreditCard.Card",
    says: () => "this customer has no card with that identifier"
  },
  CardMissing: {
    status: 400,
    field: "PaymentMethodCreditCard.Card",
    says: () => "the subscription has no card: give one with this payment"
  },
  CardExpired: {
    status: 400,
    field: "Card.expiresAt",
    says: ({ expiresAt }) => `the card expired at the end of ${expiresAt}`
  },
  CardBrandUnknown: {
    status: 400,
    field: "Card.number",
    says: () => "no operator here takes cards of this brand"
  },
  MyIdTaken: {
    status: 400,
    field: "myId",
    says: ({ myId }) => `"${myId}" is in use already`
  },
  SubscriptionNotOpen: {
    status: 400,
    field: "Subscription.status",
    says: ({ status }) => `a subscription that is ${status} takes no more payments`
  },
  PaydayPast: {
    status: 400,
    field: "Transaction.payday",
    says: ({ payday, today }) => `${payday} is over (today is ${today}): a boleto or a Pix cannot be due in the past`
  },
  ValueTooHigh: {
    status: 400,
    field: "Transaction.value",
    says: ({ maximum }) => `a boleto holds at most ${maximum} cents`
  },
  NotRetriable: {
    status: 400,
    field: "Transaction.status",
    says: ({ status }) => `a transaction that is ${status} cannot be retried: only denied, notSend and authorized can`
  },
  AttemptUnderWay: {
    status: 400,
    field: "Transaction.status",
    says: () => "the operator has been asked and has not answered yet: look at the transaction again shortly"
  },
  AttemptUnknown: {
    status: 400,
    field: "Transaction.status",
    says: () => "the outcome belongs to another attempt than the one under way"
  },
  SubscriptionCannot: {
    status: 400,
    field: "Subscription.status",
    says: ({ cause, status }) => `a subscription that is ${status} cannot ${cause}`
  },
  TransactionCannot: {
    status: 400,
    field: "Transaction.status",
    says: ({ cause, status }) => `a transaction that is ${status} does not allow "${cause}"`
  }
}

/**
 * A command that was refused. Nothing has changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class BillingError extends Schema.TaggedError<BillingError>()("BillingError", {
  refusal: BillingRefusal
}) {
  private get row(): Row<BillingRefusal["_tag"]> {
    return refusals[this.refusal._tag] as Row<BillingRefusal["_tag"]>
  }

  /** The HTTP status that says it (interface section 7). */
  get status(): 400 | 404 {
    return this.row.status
  }

  /** The problems by `Entity.field`. */
  get details(): ErrorDetails {
    const problem = this.row.says(this.refusal)
    switch (this.refusal._tag) {
      case "MyIdTaken":
        return { [`${this.refusal.entity}.myId`]: [problem] }
      case "CustomerIncomplete":
        return Object.fromEntries(
          this.refusal.missing.map((field) => [`Customer.${field}`, ["is required for a new customer"]])
        )
      default:
        return { [this.row.field]: [problem] }
    }
  }

  override get message(): string {
    return `${this.row.field}: ${this.row.says(this.refusal)}`
  }
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const refuse = (refusal: BillingRefusal): BillingError => new BillingError({ refusal })
