import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const year = 365 * 86_400_000

/** A year after `Samples.today`. */
const inAYear = "2027-09-21"

const ahead = (company: CompanyId) =>
  ClockManagement.use((clocks) => clocks.advance(company, { by: Duration.millis(year) }))

const attemptsOf = Effect.fnUntraced(function* (company: CompanyId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ started_at: number; settled_at: number }>`
    SELECT started_at, settled_at FROM attempts WHERE company_id = ${company} ORDER BY id`
  return rows.map(({ settled_at, started_at }) => [Number(started_at), Number(settled_at)])
})

const journalTimesOf = Effect.fnUntraced(function* (company: CompanyId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ at: number; business_at: number }>`
    SELECT at, business_at FROM journal WHERE company_id = ${company} ORDER BY id`
  return rows.map(({ at, business_at }) => [Number(at), Number(business_at)])
})

describe("two companies with different clocks", () => {
  it.effect("each use the time of their own clock, and attempts use the machine time", () =>
    Effect.gen(function* () {
      const moved = yield* World.company()
      const other = yield* World.company()
      yield* ahead(moved)
      for (const company of [moved, other]) yield* World.subscribeByCard(company, Samples.cards.captured)
      const later = yield* World.pay(moved, "later", { payday: inAYear })
      const now = yield* World.pay(other, "now", { payday: inAYear })

      assert.strictEqual(later.status, "captured")
      assert.deepStrictEqual([later.createdAt, later.statusAt], [Samples.start + year, Samples.start + year])
      assert.strictEqual(now.status, "notSend")
      assert.strictEqual(now.createdAt, Samples.start)
      assert.deepStrictEqual(yield* attemptsOf(moved), [[Samples.start, Samples.start]])
      const written = yield* journalTimesOf(moved)
      assert.isNotEmpty(written)
      for (const times of written) assert.deepStrictEqual(times, [Samples.start, Samples.start + year])
      // The provider gets the company's time.
      assert.deepStrictEqual(
        (yield* World.providerRequests).filter(({ call }) => call === "charge").map(({ at }) => Number(at)),
        [Samples.start + year]
      )
    }).pipe(World.inWorld())
  )

  it.effect("each check the expiry of a card on their own day", () =>
    Effect.gen(function* () {
      const moved = yield* World.company()
      const other = yield* World.company()
      yield* ahead(moved)
      const subscribe = (company: CompanyId) =>
        World.subscribe(company, {
          myId: "sub",
          mainPaymentMethodId: "creditcard",
          Customer: Samples.ana,
          PaymentMethodCreditCard: {
            Card: { number: Samples.cards.captured, holder: "ANA SOUZA", expiresAt: "2027-08", cvv: "9517" }
          }
        })
      assert.strictEqual(World.refusalOf(yield* Effect.flip(subscribe(moved))), "CardExpired")
      assert.strictEqual((yield* subscribe(other)).myId, "sub")
    }).pipe(World.inWorld())
  )
})
