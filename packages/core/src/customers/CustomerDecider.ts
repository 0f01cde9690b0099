/**
 * Who a request means by its `Customer`: one that is known, with the changes that the request brings, or a new one.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type RefusedBy, refuse } from "../errors/BillingError.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import { type Address, addressFields, type EditAddress } from "./Address.ts"
import type { CustomerInput } from "./CustomerInput.ts"
import type { CreateCustomer, EditCustomer } from "./CustomerRequests.ts"
import type { CustomerState } from "./CustomerState.ts"
import { changedTo, type Decided, type Decision } from "../values/Decision.ts"
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
 * What a new customer is given.
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
  context: NewCustomer & { readonly otherMyId: OtherMyId }
): Decided<CustomerState, "CustomerHasOtherMyId" | "CustomersDiffer" | NewRefusal> => {
  const found = known.bySvcPayId ?? known.byMyId ?? known.byDocument
  if (input.svcPayId !== undefined && known.bySvcPayId === undefined) {
    return Result.fail(refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] }))
  }
  if (found === undefined) return create(input, context)
  const [first, ...others] = namesOf(known)
  if (first !== undefined && others.some(({ id }) => id !== found.id)) {
    return Result.fail(refuse({ _tag: "CustomersDiffer", by: [first.by, ...others.map(({ by }) => by)] }))
  }
  const isNamedByDocument = known.bySvcPayId === undefined && known.byMyId === undefined
  if (!isNamedByDocument || input.myId === undefined || found.myId === undefined) {
    return Result.succeed(update(found, input, context.now))
  }
  return context.otherMyId === "keep"
    ? Result.succeed(update(found, { ...input, myId: found.myId }, context.now))
    : Result.fail(refuse({ _tag: "CustomerHasOtherMyId", myId: found.myId }))
}

/** By which of its identifiers the request names a customer that is there, and which one. */
const namesOf = ({ byDocument, byMyId, bySvcPayId }: KnownCustomers) =>
  [
    { by: "svcPayId", id: bySvcPayId?.id } as const,
    { by: "myId", id: byMyId?.id } as const,
    { by: "document", id: byDocument?.id } as const
  ].filter(({ id }) => id !== undefined)

/** Who orders again is a customer again. */
const update = (customer: CustomerState, input: CustomerInput, now: BusinessTime) => {
  const { svcPayId: _, ...changes } = stated(input)
  const status = customer.status === undefined ? {} : ({ status: "active" } as const)
  const next = { ...customer, ...changes, ...status }
  return changedTo(customer, next, now, { _tag: "CustomerUpdated", customerId: customer.id })
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

type NewRefusal = "CustomerIncomplete" | "CustomerNotFound"

const create = (input: CustomerInput, own: NewCustomer): Decided<CustomerState, NewRefusal> => {
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
  return Result.succeed(created({ ...others, ...(myId === undefined ? {} : { myId }), name, document, emails }, own))
}

type Stated = Omit<ReturnType<typeof stated>, "svcPayId">

const created = (
  { myId, ...said }: Stated & Required<Pick<Stated, "name" | "document" | "emails">>,
  { companyId, id, now }: NewCustomer
): Decision<CustomerState> => ({
  next: {
    id,
    companyId,
    ...(myId === undefined ? {} : { myId }),
    phones: [],
    ...said,
    createdAt: now,
    updatedAt: now
  },
  events: [{ _tag: "CustomerCreated", customerId: id }]
})

/**
 * The other customers of the company that have the identifiers which a customer is to get, each if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface SameCustomers {
  readonly sameMyId: CustomerState | undefined
  readonly sameDocument: CustomerState | undefined
}

/** Refuses identifiers that another customer has, all at once. */
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
 * Creates a customer by itself, without a contract. One that is known already is refused, and not updated.
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

/** An address, once it has every field that one needs. */
const addressOf = (address: EditAddress): Result.Result<Address, RefusedBy<"AddressIncomplete">> => {
  const missing = addressFields.filter((field) => address[field] === undefined)
  return missing.length === 0
    ? // Nothing that it needs is missing.
      Result.succeed(address as Address)
    : Result.fail(refuse({ _tag: "AddressIncomplete", missing }))
}

/**
 * Edits a customer. Its contracts are not touched: deactivating a customer cancels none.
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
    const wanted = status === "inactive" ? "inactive" : status === "active" ? "active" : customer.status
    const isMoved = wanted !== undefined && wanted !== (customer.status ?? "active")
    const changes = stated({ ...command, ...(address === undefined ? {} : { Address: address }) })
    const next = { ...customer, ...changes, ...(isMoved ? { status: wanted } : {}) }
    const tag = isMoved && wanted === "inactive" ? "CustomerDeactivated" : "CustomerUpdated"
    return changedTo(customer, next, now, { _tag: tag, customerId: customer.id })
  })
