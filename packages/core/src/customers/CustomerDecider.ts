/**
 * Who a request means by its `Customer`: one that is known, with the changes that the request brings, or a new one.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { CustomerInput } from "./CustomerInput.ts"
import type { CustomerState } from "./CustomerState.ts"
import { changedTo, type Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { SvcPayId } from "../values/Identifier.ts"

/**
 * The customers of the company that the request's identifiers name, each if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownCustomers {
  readonly bySvcPayId?: CustomerState | undefined
  readonly byMyId?: CustomerState | undefined
  readonly byDocument?: CustomerState | undefined
}

/**
 * What becomes of a request that names a known customer by document and gives it another `myId`: it is refused, or the
 * customer is updated and keeps the `myId` that it has.
 *
 * @category models
 * @since 0.1.0
 */
export type OtherMyId = "refuse" | "keep"

/**
 * Decides which customer a request means.
 *
 * **Details**
 *
 * A customer's `myId` is its address, and a document does not change it: two people who are entered with one document
 * by mistake would become one, and the first would be found no more. One that has no `myId` yet gets it, and a
 * `svcPayId`, which only the service gives out, may rename.
 *
 * An identifier that names no customer is a `CustomerNotFound` when the request says nothing else about the customer, or
 * names it by `svcPayId`, which only the service gives out. Otherwise the customer is new, and must be complete.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideCustomer = (
  input: CustomerInput,
  known: KnownCustomers,
  context: {
    readonly companyId: CompanyId
    readonly id: SvcPayId
    readonly now: BusinessTime
    readonly otherMyId: OtherMyId
  }
): Decided<CustomerState> => {
  const named = [known.bySvcPayId, known.byMyId, known.byDocument].filter((customer) => customer !== undefined)
  const [found] = named
  if (input.svcPayId !== undefined && known.bySvcPayId === undefined) {
    return Result.fail(refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] }))
  }
  if (found === undefined) return create(input, context)
  if (named.some((customer) => customer.id !== found.id)) return Result.fail(refuse({ _tag: "CustomersDiffer" }))
  const isNamedByDocument = known.bySvcPayId === undefined && known.byMyId === undefined
  if (!isNamedByDocument || input.myId === undefined || found.myId === undefined) {
    return Result.succeed(update(found, input, context.now))
  }
  return context.otherMyId === "keep"
    ? Result.succeed(update(found, { ...input, myId: found.myId }, context.now))
    : Result.fail(refuse({ _tag: "CustomerHasOtherMyId", myId: found.myId }))
}

const update = (customer: CustomerState, input: CustomerInput, now: BusinessTime) => {
  const { svcPayId: _, ...changes } = stated(input)
  return changedTo(customer, { ...customer, ...changes }, now, { _tag: "CustomerUpdated", customerId: customer.id })
}

/** What a request says of a customer, as it is kept; a password is not. */
const stated = (input: CustomerInput) => {
  const { Address, ExtraFields, password: _, ...said } = input
  return {
    ...said,
    ...(Address === undefined ? {} : { address: Address }),
    ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields })
  }
}

const create = (
  input: CustomerInput,
  { companyId, id, now }: { readonly companyId: CompanyId; readonly id: SvcPayId; readonly now: BusinessTime }
): Decided<CustomerState> => {
  const { document, emails, myId, name, svcPayId: _, ...others } = stated(input)
  const saysMoreThanWho = [name, emails, ...Object.values(others)].some((field) => field !== undefined)
  const [by, ...more] = (["myId", "document"] as const).filter((field) => input[field] !== undefined)
  if (by !== undefined && !saysMoreThanWho) {
    return Result.fail(refuse({ _tag: "CustomerNotFound", by: [by, ...more] }))
  }
  if (name === undefined || document === undefined || emails === undefined) {
    const missing = (["name", "document", "emails"] as const).filter((field) => input[field] === undefined)
    return Result.fail(refuse({ _tag: "CustomerIncomplete", missing }))
  }
  return Result.succeed({
    next: {
      id,
      companyId,
      ...(myId === undefined ? {} : { myId }),
      name,
      document,
      emails,
      phones: [],
      ...others,
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "CustomerCreated", customerId: id }]
  })
}
