/**
 * Use cases: list, create and edit customers. A customer is deactivated by an edit of its status.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { createCustomer, editCustomer } from "@parcela/core/customers/CustomerDecider"
import type { CreateCustomer, EditCustomer } from "@parcela/core/customers/Customer"
import {
  type CustomerState,
  type CustomerStanding,
  type CustomerStatus,
  customerStatus,
  newStanding
} from "@parcela/core/customers/CustomerState"
import { svcPay } from "@parcela/core/json/NamingProfile"
import type { CustomerList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import { type BusinessTime, businessTimeOf, noOffset, dateAt } from "@parcela/core/time/Instant"
import { byMyId, bySvcPayId, type EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, neverMissing } from "../command/Command.ts"
import { type KeyUse, subjectOf } from "../command/IdempotencyKey.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import { Customers } from "../ports/Customers.ts"
import type { CustomerContext, NewCustomerContext } from "../command/Loads.ts"
import { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { creating, editing, writeEntity, type WriteResult } from "../command/EntityWriting.ts"
import { noCustomer } from "../command/Missing.ts"
import * as Spans from "../Spans.ts"

/**
 * A customer and its status on the current day.
 *
 * @category models
 * @since 0.1.0
 */
export interface CustomerToday {
  readonly customer: CustomerState
  readonly status: CustomerStatus
}

/**
 * @category services
 * @since 0.1.0
 */
export class CustomerManagement extends Context.Service<
  CustomerManagement,
  {
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<CustomerList>,
      page: PageOf<CustomerList>
    ) => Effect.Effect<ReadonlyArray<CustomerToday>, StoreError>
    /**
     * Creates a customer. Under another naming profile a request with a known `myId` or document updates that customer,
     * since clients there send their customer before each payment.
     */
    readonly create: (
      companyId: CompanyId,
      command: CreateCustomer,
      key?: KeyUse<CustomerToday>
    ) => WriteResult<CustomerToday, typeof createCustomer | typeof editCustomer>
    readonly edit: (
      companyId: CompanyId,
      ref: EntityRef,
      command: EditCustomer,
      key?: KeyUse<CustomerToday>
    ) => WriteResult<CustomerToday, typeof editCustomer | typeof noCustomer>
  }
>()("@parcela/engine/customers/CustomerManagement") {
  static readonly layer: Layer.Layer<CustomerManagement, never, Commands | CompanyClocks | Customers | Sequences> =
    Layer.effect(
      CustomerManagement,
      Effect.suspend(() => make)
    )
}

/** The loaded data for the view of a customer. */
type LoadedCustomer = (NewCustomerContext | CustomerContext) & { readonly standing?: CustomerStanding }

const make = Effect.gen(function* () {
  const clocks = yield* CompanyClocks
  const commands = yield* Commands
  const customers = yield* Customers
  const sequences = yield* Sequences
  const { naming, zone } = yield* Settings

  const entity = {
    change: (next: CustomerState, before?: CustomerState) => ({ table: "customers", before, next }) as const,
    subject: ({ id }: CustomerState) => subjectOf("customer", id),
    shown: (customer: CustomerState, { standing = newStanding }: LoadedCustomer, now: BusinessTime) => ({
      customer,
      status: customerStatus(customer, standing, dateAt(now, zone))
    })
  }

  /** Updates the customer that a request to create one names. The customer keeps its `myId`. */
  const update = (companyId: CompanyId, ref: EntityRef, command: CreateCustomer, key?: KeyUse<CustomerToday>) => {
    const decide = editing(entity, (found: CustomerContext, now) => {
      const { myId = command.myId } = found.entity
      const changes = { ...command, status: "active", ...(myId === undefined ? {} : { myId }) } as const
      return editCustomer(found.entity, changes, { ...found, now })
    })
    const args = { companyId, ref, myId: command.myId, document: command.document }
    return writeEntity(commands, { load: "customer", args, decide, missing: neverMissing }, key)
  }

  return CustomerManagement.of({
    list: Spans.fn("CustomerManagement.list")(function* (companyId, filter, page) {
      const clock = Option.getOrUndefined(yield* clocks.find(companyId))
      const today = dateAt(businessTimeOf(yield* machineNow, clock?.offset ?? noOffset), zone)
      const listed = yield* customers.list(companyId, filter, page, today)
      return listed.map(({ customer, standing }) => ({ customer, status: customerStatus(customer, standing, today) }))
    }),
    create: Spans.fn("CustomerManagement.create")(function* (companyId, command, key) {
      const id = yield* sequences.next("customer")
      const decide = creating(entity, (found: NewCustomerContext, now) =>
        createCustomer(command, found, { companyId, id, now })
      )
      const args = { companyId, id, myId: command.myId, document: command.document }
      const created = writeEntity(commands, { load: "newCustomer", args, decide, missing: neverMissing }, key)
      if (naming.name === svcPay.name) return yield* created
      return yield* Effect.catchTag(created, "BillingError", ({ refusal }) =>
        update(
          companyId,
          refusal._tag === "MyIdTaken" ? byMyId(refusal.myId) : bySvcPayId(refusal.svcPayId),
          command,
          key
        )
      )
    }),
    edit: Spans.fn("CustomerManagement.edit")(function* (companyId, ref, command, key) {
      const decide = editing(entity, (found: CustomerContext, now) =>
        editCustomer(found.entity, command, { ...found, now })
      )
      const args = { companyId, ref, myId: command.myId, document: command.document }
      const missing = () => noCustomer(ref)
      return yield* writeEntity(commands, { load: "customer", args, decide, missing }, key)
    })
  })
})
