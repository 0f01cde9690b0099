/**
 * Creates the declared entities that a company lacks, and compares the others. Each one runs the use case of a client's
 * request, so fixtures cannot create anything that a client could not create.
 *
 * @since 0.1.0
 */
import { CreateCharge } from "@parcela/core/charges/Charge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { CreateCustomer } from "@parcela/core/customers/Customer"
import type { BillingError } from "@parcela/core/errors/BillingError"
import { CreatePlan } from "@parcela/core/plans/Plan"
import { CreateManualSubscription, CreateSubscription } from "@parcela/core/subscriptions/Subscription"
import { AddPayment } from "@parcela/core/transactions/PaymentRequests"
import { byMyId, type MyId } from "@parcela/core/values/Identifier"
import type { KeyReused } from "@parcela/engine/command/IdempotencyKey"
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Listings } from "@parcela/engine/queries/Listings"
import { planView } from "@parcela/engine/queries/PlanView"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import { CustomerManagement } from "@parcela/engine/customers/Customers"
import { ManualSubscriptions } from "@parcela/engine/subscriptions/ManualSubscriptions"
import { Payments } from "@parcela/engine/payments/Payments"
import { PeriodicSubscriptions } from "@parcela/engine/subscriptions/PeriodicSubscriptions"
import { PlanManagement } from "@parcela/engine/plans/Plans"
import type { Applied, Fixtures } from "@parcela/transport/sandbox/FixtureControls"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CardNumber, mask } from "@parcela/core/cards/CardNumber"

type Row = typeof Applied.Type
type File = typeof Fixtures.Type
type Failure = ProviderError | StoreError

/** One fixture, with effects that find and create its entity. */
interface Fixture {
  readonly kind: string
  readonly myId: MyId
  readonly declared: object
  readonly find: Effect.Effect<object | undefined, Failure>
  readonly make: Effect.Effect<unknown, Failure | BillingError | KeyReused>
}

const applyOne = Effect.fnUntraced(function* ({ declared, find, kind, make, myId }: Fixture) {
  const compare = Effect.map(find, (found) =>
    found === undefined ? undefined : compared({ kind, name: myId }, declared, found)
  )
  const there = yield* compare
  if (there !== undefined) return there
  return yield* make.pipe(
    Effect.as<Row>({ kind, name: myId, outcome: "created" }),
    Effect.catchTags({
      // A concurrent request may have created the entity.
      BillingError: ({ message }) =>
        Effect.map(compare, (now): Row => now ?? { kind, name: myId, outcome: "refused", problem: message }),
      // Only a reused key fails with this error, and fixtures have no key.
      KeyReused: Effect.die
    })
  )
})

const first = { startAt: 0, limit: 1, order: [] }

/** Returns effects that find an entity by its `myId`, in the form of a response. */
const makeFinding = Effect.gen(function* () {
  const customers = yield* CustomerManagement
  const listings = yield* Listings
  const plans = yield* PlanManagement
  const settings = yield* Settings

  return (companyId: CompanyId, myId: MyId) => {
    const only = { myIds: [myId] }
    return {
      plan: Effect.map(plans.list(companyId, only, first), ([one]) => one && planView(one, settings)),
      customer: Effect.map(
        customers.list(companyId, only, first),
        ([one]) => one && Views.customer(one.customer, settings, one.status)
      ),
      subscription: Effect.map(listings.subscriptions(companyId, only, first), ([one]) => one),
      payment: Effect.map(listings.transactions(companyId, only, first), ([one]) => one),
      // A charge's payday and card are those of its payment.
      charge: Effect.map(
        listings.charges(companyId, only, first),
        ([one]) => one && { ...one.Transactions?.[0], ...one }
      )
    }
  }
})

/**
 * Applies the entities of fixtures in the order of their references.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const charges = yield* ChargeManagement
  const customers = yield* CustomerManagement
  const manual = yield* ManualSubscriptions
  const payments = yield* Payments
  const periodic = yield* PeriodicSubscriptions
  const plans = yield* PlanManagement
  const finding = yield* makeFinding

  /** Returns the entities of a file, with referenced entities first. */
  const fixturesOf = (companyId: CompanyId, file: File): ReadonlyArray<Fixture> => {
    const of = (kind: string, myId: MyId, declared: object, entity: keyof ReturnType<typeof finding>) => ({
      kind,
      myId,
      declared,
      find: finding(companyId, myId)[entity]
    })
    return [
      ...(file.plans ?? []).map((item) => ({
        ...of("plans", item.myId, writtenPlan(item), "plan"),
        make: plans.create(companyId, item)
      })),
      ...(file.customers ?? []).map((item) => ({
        ...of("customers", item.myId, writtenCustomer(item), "customer"),
        make: customers.create(companyId, item)
      })),
      ...(file.manualSubscriptions ?? []).map((item) => ({
        ...of("manualSubscriptions", item.myId, writtenManual(item), "subscription"),
        make: manual.create(companyId, item)
      })),
      ...(file.subscriptions ?? []).map((item) => ({
        ...of("subscriptions", item.myId, writtenSubscription(item), "subscription"),
        make: periodic.create(companyId, item)
      })),
      ...(file.payments ?? []).map(({ subscription, ...item }) => ({
        ...of("payments", item.myId, writtenPayment(item), "payment"),
        make: payments.add(companyId, byMyId(subscription), item)
      })),
      ...(file.charges ?? []).map((item) => ({
        ...of("charges", item.myId, writtenCharge(item), "charge"),
        make: charges.create(companyId, item)
      }))
    ]
  }

  return (companyId: CompanyId, file: File) => Effect.forEach(fixturesOf(companyId, file), applyOne)
})

const writtenPlan = Schema.encodeSync(CreatePlan)
const writtenCustomer = Schema.encodeSync(CreateCustomer)
const writtenManual = Schema.encodeSync(CreateManualSubscription)
const writtenSubscription = Schema.encodeSync(CreateSubscription)
const writtenPayment = Schema.encodeSync(AddPayment)
const writtenCharge = Schema.encodeSync(CreateCharge)

interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields that responses never show, so they cannot be compared. */
const hidden: ReadonlySet<string> = new Set(["cvv", "holder"])

/** Returns true for a missing value, which responses represent in several ways. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const isCardNumber = Schema.is(CardNumber)

/** Returns the value as a response shows it: a card's number as its mask. */
const shownAs = (name: string, declared: unknown): unknown =>
  name === "number" && isCardNumber(declared) ? mask(declared) : declared

/** Returns the paths of the fields whose declared values differ from the shown ones: `value`, `Customer.name`. */
const differences = (declared: Fields, shown: Fields): ReadonlyArray<string> =>
  Object.entries(declared).flatMap(([name, value]) => (hidden.has(name) ? [] : within(name, value, shown[name])))

const within = (name: string, declared: unknown, shown: unknown): ReadonlyArray<string> => {
  if (isNothing(declared) && isNothing(shown)) return []
  if (isFields(declared) && isFields(shown)) return differences(declared, shown).map((field) => `${name}.${field}`)
  if (!Array.isArray(declared) || !Array.isArray(shown)) return shownAs(name, declared) === shown ? [] : [name]
  const isSame =
    declared.length === shown.length && declared.every((item, index) => within(name, item, shown[index]).length === 0)
  return isSame ? [] : [name]
}

/**
 * Compares a declaration with the existing entity of the same name. Undeclared fields are ignored.
 *
 * @category getters
 * @since 0.1.0
 */
export const compared = (
  about: { readonly kind: string; readonly name: string },
  declared: object,
  shown: object
): typeof Applied.Type => {
  // Both values are JSON objects.
  const fields = differences(declared as Fields, shown as Fields)
  return fields.length === 0 ? { ...about, outcome: "alreadyThere" } : { ...about, outcome: "differs", fields }
}
