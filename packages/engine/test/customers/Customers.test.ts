import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerStatus } from "@parcela/core/customers/CustomerState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { Journal } from "@parcela/engine/ports/Journal"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { CustomerManagement } from "@parcela/engine/customers/Customers"
import { writeChange } from "@parcela/test-world/StoreWrites"
import { Duration, Effect, Option } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const page = { startAt: 0, limit: 100, order: [] } as const

/** The status that Ana is shown with, which is the one that she is found by, and no other. */
const statusOf = Effect.fnUntraced(function* (company: CompanyId) {
  const customers = yield* CustomerManagement
  const [shown] = yield* customers.list(company, { myIds: [World.ref("ana").id as never] }, page)
  for (const status of ["active", "delayed", "inactive", "withoutSubscriptionOrCharge"] as const) {
    const found = yield* customers.list(company, { status: [status] }, page)
    assert.deepStrictEqual(found, shown?.status === status ? [shown] : [], status)
  }
  return shown!.status
})

const is = (company: CompanyId, expected: CustomerStatus) =>
  Effect.map(statusOf(company), (status) => assert.strictEqual(status, expected))

const edit = (company: CompanyId, changes: object) =>
  CustomerManagement.use((customers) => Effect.map(customers.edit(company, World.ref("ana"), changes), World.valueOf))

describe("the status of a customer", () => {
  it.effect("follows the start and the end of the customer's contracts", () =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const company = yield* World.company()
      const { status } = yield* World.customer(company)
      assert.strictEqual(status, "withoutSubscriptionOrCharge")
      yield* is(company, "withoutSubscriptionOrCharge")
      const ids = [
        (yield* World.subscribeBy(company, "pix", "first")).svcPayId,
        (yield* World.subscribeBy(company, "boleto", "second")).svcPayId
      ]
      yield* is(company, "active")
      for (const [index, id] of ids.entries()) {
        const before = Option.getOrThrow(yield* subscriptions.find(company, bySvcPayId(id)))
        const stopped = { ...before, status: "stopped" } as const
        yield* writeChange({ table: "subscriptions", before, next: stopped })
        yield* is(company, "active")
        yield* writeChange({ table: "subscriptions", before: stopped, next: { ...before, status: "canceled" } })
        yield* is(company, index === 0 ? "active" : "withoutSubscriptionOrCharge")
      }
    }).pipe(World.inWorld())
  )

  it.effect("is delayed from the day after the payday of an unpaid payment until the payment is paid", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
      assert.strictEqual((yield* World.pay(company, "p")).status, "denied")
      yield* is(company, "active")
      yield* World.passTime("1 day")
      yield* is(company, "delayed")
      assert.strictEqual((yield* edit(company, { name: "Ana Lima" })).status, "delayed")
      yield* World.retry(company, "p")
      yield* is(company, "active")
    }).pipe(World.inWorld())
  )

  it.effect("is computed for the company's current day", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const other = yield* World.company()
      for (const one of [company, other]) {
        yield* World.subscribeBy(one, "pix")
        yield* World.pay(one, "p")
        yield* is(one, "active")
      }
      yield* World.whileTimePasses(ClockManagement.use((clocks) => clocks.advance(company, { by: Duration.days(2) })))
      yield* is(company, "delayed")
      yield* is(other, "active")
    }).pipe(World.inWorld())
  )

  it.effect("is inactive after deactivation, whatever the customer owes, until a new order", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "p")
      yield* World.passTime("1 day")
      assert.strictEqual((yield* edit(company, { status: "inactive" })).status, "inactive")
      yield* is(company, "inactive")
      yield* World.subscribe(company, { myId: "again", mainPaymentMethodId: "pix", Customer: { myId: "ana" } })
      yield* is(company, "delayed")
    }).pipe(World.inWorld())
  )
})

describe("customers", () => {
  it.effect("have a journal entry for each change, and none if nothing changed", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.customer(company)
      yield* edit(company, { name: "Ana Lima" })
      yield* edit(company, { name: "Ana Lima", status: "delayed" })
      yield* edit(company, { status: "inactive" })
      const entries = yield* Journal.use((journal) => journal.latest(company, 10))
      assert.deepStrictEqual(
        entries.map(({ before, events, subject }) => [subject.kind, events.map(({ _tag }) => _tag), before?.["name"]]),
        [
          ["customer", ["CustomerCreated"], undefined],
          ["customer", ["CustomerUpdated"], "Ana Souza"],
          ["customer", ["CustomerDeactivated"], undefined]
        ]
      )
    }).pipe(World.inWorld())
  )
})
