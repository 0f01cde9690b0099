/**
 * Commands on customers: find or create the customer of a request, create, edit.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type RefusedBy, refuse } from "../errors/BillingError.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import { type Address, addressFields, type EditAddress, type CustomerInput } from "./CustomerInput.ts"
import type { CreateCustomer, EditCustomer } from "./Customer.ts"
import type { CustomerState } from "./CustomerState.ts"
import { changedTo, type Decided, type Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { SvcPayId } from "../values/Identifier.ts"

/**
 * The company's customers that match the identifiers of the request.
 *
 * @category models
 * @since 0.1.0
 */
export interface MatchingCustomers {
  readonly bySvcPayId?: CustomerState | undefined
  readonly byMyId?: CustomerState | undefined
  readonly byDocument?: CustomerState | undefined
}

/**
 * The reaction to another `myId` for a customer that the request names by document: refuse the request, or update the
 * customer and retain its stored `myId`.
 *
 * @category models
 * @since 0.1.0
 */
export type OtherMyId = "refuse" | "keep"

/**
 * Identifiers and creation time for a new customer.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewCustomer {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly now: BusinessTime
}

/**
 * Finds the customer of a request and updates it, or creates a new customer.
 *
 * **Details**
 *
 * A request that finds a customer by document cannot change its `myId`. Otherwise two people entered with the same
 * document by mistake would become one customer, and the first could no longer be found. A customer without a `myId`
 * gets the `myId` of the request. A request with `svcPayId` may change the `myId`.
 *
 * `CustomerNotFound` is returned if no customer has the given `svcPayId`, or if the request has only identifiers.
 * Otherwise a new customer is created, which requires all mandatory fields.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideCustomer = (
  input: CustomerInput,
  known: MatchingCustomers,
  context: NewCustomer & { readonly otherMyId: OtherMyId }
): Decided<CustomerState, "CustomerHasOtherMyId" | "CustomersDiffer" | NewRefusal> => {
  const existing = known.bySvcPayId ?? known.byMyId ?? known.byDocument
  if (input.svcPayId !== undefined && known.bySvcPayId === undefined) {
    return Result.fail(refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] }))
  }
  if (existing === undefined) return create(input, context)
  const [first, ...others] = namesOf(known)
  if (first !== undefined && others.some(({ id }) => id !== existing.id)) {
    return Result.fail(refuse({ _tag: "CustomersDiffer", by: [first.by, ...others.map(({ by }) => by)] }))
  }
  const isNamedByDocument = known.bySvcPayId === undefined && known.byMyId === undefined
  if (!isNamedByDocument || input.myId === undefined || existing.myId === undefined) {
    return Result.succeed(update(existing, input, context.now))
  }
  return context.otherMyId === "keep"
    ? Result.succeed(update(existing, { ...input, myId: existing.myId }, context.now))
    : Result.fail(refuse({ _tag: "CustomerHasOtherMyId", myId: existing.myId }))
}

/** The existing customers, each with the identifier by which it was loaded. */
const namesOf = ({ byDocument, byMyId, bySvcPayId }: MatchingCustomers) =>
  [
    { by: "svcPayId", id: bySvcPayId?.id } as const,
    { by: "myId", id: byMyId?.id } as const,
    { by: "document", id: byDocument?.id } as const
  ].filter(({ id }) => id !== undefined)

/** Updates a customer. A deactivated customer becomes active again. */
const update = (customer: CustomerState, input: CustomerInput, now: BusinessTime) => {
  const { svcPayId: _, ...changes } = stated(input)
  const status = customer.status === undefined ? {} : ({ status: "active" } as const)
  const next = { ...customer, ...changes, ...status }
  return changedTo(customer, next, now, { _tag: "CustomerUpdated", customerId: customer.id })
}

/** The fields of a request as they are stored, without the password. */
const stated = (input: CustomerInput) => {
  const { Address, ExtraFields, password: _, ...fields } = input
  return {
    ...fields,
    ...(Address === undefined ? {} : { address: Address }),
    ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields })
  }
}

type NewRefusal = "CustomerIncomplete" | "CustomerNotFound"

const create = (input: CustomerInput, own: NewCustomer): Decided<CustomerState, NewRefusal> => {
  const { document, emails, myId, name, svcPayId: _, ...others } = stated(input)
  const hasOtherFields = [name, emails, ...Object.values(others)].some((field) => field !== undefined)
  const [by, ...more] = (["myId", "document"] as const).filter((field) => input[field] !== undefined)
  if (by !== undefined && !hasOtherFields) {
    return Result.fail(refuse({ _tag: "CustomerNotFound", by: [by, ...more] }))
  }
  if (name === undefined || document === undefined || emails === undefined) {
    const missing = (["name", "document", "emails"] as const).filter((field) => input[field] === undefined)
    return Result.fail(refuse({ _tag: "CustomerIncomplete", missing }))
  }
  return Result.succeed(created({ ...others, ...(myId === undefined ? {} : { myId }), name, document, emails }, own))
}

type Stated = Omit<ReturnType<typeof stated>, "svcPayId">

const created = (
  { myId, ...fields }: Stated & Required<Pick<Stated, "name" | "document" | "emails">>,
  { companyId, id, now }: NewCustomer
): Decision<CustomerState> => ({
  next: {
    id,
    companyId,
    ...(myId === undefined ? {} : { myId }),
    phones: [],
    ...fields,
    createdAt: now,
    updatedAt: now
  },
  events: [{ _tag: "CustomerCreated", customerId: id }]
})

/**
 * Customers of the company that already have the requested `myId` or document.
 *
 * @category models
 * @since 0.1.0
 */
export interface SameCustomers {
  readonly sameMyId: CustomerState | undefined
  readonly sameDocument: CustomerState | undefined
}

/** Refuses identifiers of other customers. All conflicts are reported together. */
const free = ({ sameDocument, sameMyId }: SameCustomers, id: SvcPayId): Result.Result<void, RefusedBy<Taken>> => {
  const [first, ...others] = [
    ...(sameMyId?.myId === undefined || sameMyId.id === id
      ? []
      : [{ _tag: "MyIdTaken", entity: "Customer", myId: sameMyId.myId } as const]),
    ...(sameDocument === undefined || sameDocument.id === id
      ? []
      : [{ _tag: "DocumentTaken", svcPayId: sameDocument.id } as const])
  ]
  return first === undefined ? Result.void : Result.fail(refuse<typeof first>(first, ...others))
}

type Taken = "MyIdTaken" | "DocumentTaken"

/**
 * Creates a customer without a subscription or charge. An existing customer is refused and not updated.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createCustomer = (
  command: CreateCustomer,
  same: SameCustomers,
  own: NewCustomer
): Decided<CustomerState, Taken> =>
  Result.map(free(same, own.id), () => {
    const { document, emails, name } = command
    return created({ ...stated(command), name, document, emails }, own)
  })

/** Returns a complete address, or refuses an address with missing fields. */
const addressOf = (address: EditAddress): Result.Result<Address, RefusedBy<"AddressIncomplete">> => {
  const missing = addressFields.filter((field) => address[field] === undefined)
  return missing.length === 0
    ? // All required fields are present.
      Result.succeed(address as Address)
    : Result.fail(refuse({ _tag: "AddressIncomplete", missing }))
}

/**
 * Edits a customer. Deactivating a customer does not cancel its subscriptions and charges.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editCustomer = (
  customer: CustomerState,
  { Address: change, status, ...command }: EditCustomer,
  { now, ...same }: SameCustomers & { readonly now: BusinessTime }
): Decided<CustomerState, Taken | "AddressIncomplete"> =>
  Result.gen(function* () {
    yield* free(same, customer.id)
    const address = change && (yield* addressOf({ ...customer.address, ...change }))
    const requested = status === "inactive" ? "inactive" : status === "active" ? "active" : customer.status
    const isMoved = requested !== undefined && requested !== (customer.status ?? "active")
    const changes = stated({ ...command, ...(address === undefined ? {} : { Address: address }) })
    const next = { ...customer, ...changes, ...(isMoved ? { status: requested } : {}) }
    const tag = isMoved && requested === "inactive" ? "CustomerDeactivated" : "CustomerUpdated"
    return changedTo(customer, next, now, { _tag: tag, customerId: customer.id })
  })
