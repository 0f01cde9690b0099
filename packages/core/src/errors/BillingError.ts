/**
 * The error of a refused command. Each refusal names its `Entity.field` (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { BillingRefusal, type RefusalOf, type RefusalTag } from "./BillingRefusal.ts"
import type { ErrorDetails } from "./ErrorDetails.ts"
import { noSuchCustomer, type RefusalRow, refusals } from "./RefusalTexts.ts"

/** Maximum length of `error.message`: `string 255` (interface section 7). */
const maxMessageLength = 255

const ofCustomer = (fields: ReadonlyArray<string>, problem: string): ErrorDetails =>
  Object.fromEntries(fields.map((field) => [`Customer.${field}`, [problem]]))

// The compiler cannot infer that the row of a tag accepts the refusal with that tag.
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
      return { [fieldOf(refusal)]: [rowOf(refusal).message(refusal)] }
  }
}

/**
 * The problems of several refusals by `Entity.field`. If two refusals name the same field, the first is used.
 *
 * @category conversions
 * @since 0.1.0
 */
export const refusalDetails = (all: ReadonlyArray<BillingRefusal>): ErrorDetails =>
  Object.assign({}, ...all.map(detailsOf).toReversed())

/**
 * A command was refused. Nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class BillingError extends Schema.TaggedError<BillingError>()("BillingError", {
  refusal: BillingRefusal,
  /** Further refusals, if the decision found several. */
  also: Schema.optionalKey(Schema.Array(BillingRefusal))
}) {
  /** The `Entity.field` of the first refusal. */
  get field(): string {
    return fieldOf(this.refusal)
  }

  /** All problems by `Entity.field`. */
  get details(): ErrorDetails {
    return refusalDetails([this.refusal, ...(this.also ?? [])])
  }

  override get message(): string {
    const { isWholeMessage = false, message } = rowOf(this.refusal)
    const characters = [...`${isWholeMessage ? "" : `${this.field}: `}${message(this.refusal)}`]
    return characters.length > maxMessageLength
      ? `${characters.slice(0, maxMessageLength - 1).join("")}…`
      : characters.join("")
  }
}

/**
 * The error type of refusals with these tags. A decision declares its possible refusals with this type.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusedBy<T extends RefusalTag> = BillingError & { readonly refusal: RefusalOf<T> }

/**
 * Creates the error of a refusal, with any further refusals that were found at the same time.
 *
 * @category constructors
 * @since 0.1.0
 */
export const refuse = <const R extends BillingRefusal>(
  refusal: R,
  ...also: ReadonlyArray<BillingRefusal>
): RefusedBy<R["_tag"]> =>
  // The error contains the refusal passed in, so its tag is R's.
  new BillingError(also.length === 0 ? { refusal } : { refusal, also }) as RefusedBy<R["_tag"]>
