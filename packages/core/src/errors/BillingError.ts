/**
 * Why a command is refused: each refusal names its `Entity.field` (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { BillingRefusal, type RefusalOf, type RefusalTag } from "./BillingRefusal.ts"
import type { ErrorDetails } from "./ErrorNode.ts"
import { noSuchCustomer, type RefusalRow, refusals } from "./RefusalTexts.ts"

/** `error.message` is a `string 255` (interface section 7). */
const longestMessage = 255

const ofCustomer = (fields: ReadonlyArray<string>, problem: string): ErrorDetails =>
  Object.fromEntries(fields.map((field) => [`Customer.${field}`, [problem]]))

// The compiler does not see that the row of a tag takes the refusal of that tag.
const rowOf = (refusal: BillingRefusal): RefusalRow<RefusalTag> => refusals[refusal._tag] as RefusalRow<RefusalTag>

const fieldOf = (refusal: BillingRefusal): string => {
  const { field } = rowOf(refusal)
  return typeof field === "string" ? field : field(refusal)
}

const detailsOf = (refusal: BillingRefusal): ErrorDetails => {
  switch (refusal._tag) {
    case "CustomerIncomplete":
      return ofCustomer(refusal.missing, "is required for a new customer")
    case "AddressIncomplete":
      return Object.fromEntries(
        refusal.missing.map((field) => [`Address.${field}`, ["is required for a customer without an address"]])
      )
    case "ScheduleIncomplete":
      return Object.fromEntries(
        refusal.missing.map((field) => [`Subscription.${field}`, ["is required for a subscription without a plan"]])
      )
    case "PaymentIncomplete":
      return Object.fromEntries(
        refusal.missing.map((field) => [`Transaction.${field}`, ["is required for a payment of a manual subscription"]])
      )
    case "CustomerNotFound":
      return ofCustomer(refusal.by, noSuchCustomer(refusal))
    default:
      return { [fieldOf(refusal)]: [rowOf(refusal).says(refusal)] }
  }
}

/**
 * The problems of several refusals by `Entity.field`; of two about one field the first is given.
 *
 * @category conversions
 * @since 0.1.0
 */
export const refusalDetails = (all: ReadonlyArray<BillingRefusal>): ErrorDetails =>
  Object.assign({}, ...all.map(detailsOf).toReversed())

/**
 * A command that was refused. Nothing has changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class BillingError extends Schema.TaggedError<BillingError>()("BillingError", {
  refusal: BillingRefusal,
  /** Further reasons, where several are known at once. */
  also: Schema.optionalKey(Schema.Array(BillingRefusal))
}) {
  /** The `Entity.field` that it is about; that of the first reason, where there are several. */
  get field(): string {
    return fieldOf(this.refusal)
  }

  /** The problems by `Entity.field`. */
  get details(): ErrorDetails {
    return refusalDetails([this.refusal, ...(this.also ?? [])])
  }

  override get message(): string {
    const { isWholeMessage = false, says } = rowOf(this.refusal)
    const characters = [...`${isWholeMessage ? "" : `${this.field}: `}${says(this.refusal)}`]
    return characters.length > longestMessage
      ? `${characters.slice(0, longestMessage - 1).join("")}…`
      : characters.join("")
  }
}

/**
 * The error of refusals with these tags: a decision says by it which refusals it has.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusedBy<T extends RefusalTag> = BillingError & { readonly refusal: RefusalOf<T> }

/**
 * The error of a refusal, and of those that are known beside it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const refuse = <const R extends BillingRefusal>(
  refusal: R,
  ...also: ReadonlyArray<BillingRefusal>
): RefusedBy<R["_tag"]> =>
  // It holds the refusal that it was made with.
  new BillingError(also.length === 0 ? { refusal } : { refusal, also }) as RefusedBy<R["_tag"]>
