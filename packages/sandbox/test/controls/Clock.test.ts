import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Clock, Effect } from "effect"
import { inject } from "vitest"
import { startServer } from "../fixtures/Servers.ts"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, request, token, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

const clock = "/sandbox/companies/sandbox/clock"
const advance = (body: unknown, company = "sandbox") =>
  call("POST", `/sandbox/companies/${company}/clock/advance`, { body })

const year = { bySeconds: 365 * 86_400 }

describe("the controls of a company's clock", () => {
  it.effect("advance it, send due payments on their own day, and return them, without effect on other companies", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const send = (path: string, body: unknown) => call("POST", `/v2${path}`, { token: bearer, body })
      yield* call("POST", "/sandbox/companies", { body: { clientId: "other" } })
      yield* send("/subscriptions/manual", byCard(cards.captured))
      for (const month of ["10", "11", "12"]) {
        yield* send("/transactions/sub/myId/add", payment(month, `2026-${month}-21`))
      }
      assert.deepStrictEqual((yield* call("GET", clock)).json, {
        machine: "2026-09-21T14:13:20.000Z",
        business: "2026-09-21T14:13:20.000Z",
        today: "2026-09-21",
        nextDue: "2026-10-21T03:00:00.000Z"
      })
      const { json, status } = yield* advance(year)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, {
        from: "2026-09-21T14:13:20.000Z",
        reached: "2027-09-21T14:13:20.000Z",
        steps: 4,
        work: [{ kind: "send payment", outcome: "captured", count: 3 }],
        changes: [
          { event: "TransactionSent", count: 3 },
          { event: "OperatorResponded", count: 3 },
          { event: "TransactionStatusChanged", to: "captured", count: 3 }
        ],
        eventsAfter: json.eventsAfter,
        waitingWork: []
      })
      const { events } = (yield* call("GET", `/sandbox/companies/sandbox/events?after=${json.eventsAfter}`)).json
      assert.isTrue(events.every(({ work }: { readonly work?: string }) => work === "send payment"))
      const { waitingWork: _, work: __, ...report } = json
      const { reached: to } = json
      const last = yield* call("GET", `${clock}/advance`)
      assert.deepStrictEqual(last.json, { ...report, to, isRunning: false })
      assert.strictEqual((yield* call("GET", "/sandbox/companies/other/clock/advance")).status, 404)
      assert.deepStrictEqual((yield* call("GET", clock)).json, {
        machine: "2026-09-21T14:13:20.000Z",
        business: "2027-09-21T14:13:20.000Z",
        today: "2027-09-21"
      })
      assert.strictEqual(
        (yield* call("GET", "/sandbox/companies/other/clock")).json.business,
        "2026-09-21T14:13:20.000Z"
      )
      // The token is as old as the machine says.
      const shown = (yield* call("GET", "/v2/transactions?startAt=0&limit=9", { token: bearer })).json
      const paid = shown.Transactions.map(({ statusDate }: { readonly statusDate: string }) => statusDate)
      assert.deepStrictEqual(paid.toSorted(), ["2026-10-21 00:00:00", "2026-11-21 00:00:00", "2026-12-21 00:00:00"])
    }).pipe(onServer())
  )

  it.effect("return the company's day in its time zone, also in the evening when the day in UTC is the next one", () =>
    Effect.gen(function* () {
      yield* advance({ to: "2027-02-25T00:35:51.306Z" })
      const { json } = yield* call("GET", clock)
      assert.strictEqual(json.business, "2027-02-25T00:35:51.306Z")
      assert.strictEqual(json.today, "2027-02-24")
    }).pipe(onServer())
  )

  it.effect("check the card of a request with other errors by the day of its company", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const { PaymentMethodCreditCard } = byCard(cards.captured)
      const card = { ...PaymentMethodCreditCard.Card, expiresAt: "2027-08" }
      const body = { ...payment("late"), value: 0, PaymentMethodCreditCard: { Card: card } }
      const faults = Effect.map(call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body }), ({ json }) =>
        Object.keys(json.error.details)
      )
      assert.sameMembers(yield* faults, ["Transaction.value"])
      assert.strictEqual((yield* advance(year)).json.reached, "2027-09-21T14:13:20.000Z")
      assert.sameMembers(yield* faults, ["Transaction.value", "Card.expiresAt"])
    }).pipe(onServer())
  )

  it.effect("advance once for one name, however often it is requested", () =>
    Effect.gen(function* () {
      const first = yield* advance({ ...year, name: "a year" })
      const again = yield* advance({ ...year, name: "a year" })
      // It is that advance, and its report is.
      assert.deepStrictEqual(again.json, first.json)
      assert.strictEqual(first.json.steps, 1)
      const next = yield* advance({ ...year, name: "another year" })
      assert.strictEqual(next.json.reached, "2028-09-20T14:13:20.000Z")
      // The last name is the one that is known.
      assert.strictEqual((yield* advance({ ...year, name: "a year" })).json.reached, "2029-09-20T14:13:20.000Z")
      assert.strictEqual((yield* advance({ ...year, name: "" })).status, 400)
    }).pipe(onServer())
  )

  it.effect("cancel a running advance, so that a snapshot can be restored", () =>
    Effect.gen(function* () {
      const cancel = call("DELETE", `${clock}/advance`)
      assert.strictEqual((yield* cancel).status, 404)
      const snapshots = "/sandbox/companies/sandbox/snapshots"
      assert.strictEqual((yield* call("POST", snapshots, { body: { name: "empty" } })).status, 200)
      const clocks = yield* CompanyClocks
      const company = CompanyId.make((yield* call("GET", "/sandbox/companies")).json.companies[0].companyId)
      const now = MachineTime.make(yield* Clock.currentTimeMillis)
      // As another process does.
      const until = MachineTime.make(now + 60_000)
      const target = BusinessTime.make(now + 86_400_000)
      yield* clocks.lease(company, { from: BusinessTime.make(now), target, owner: "another", now, until })
      const restore = call("POST", `${snapshots}/empty/restore`)
      assert.strictEqual((yield* restore).status, 409)
      const cancelled = yield* cancel
      assert.deepStrictEqual([cancelled.status, cancelled.json.isRunning, cancelled.json.steps], [200, false, 0])
      assert.strictEqual((yield* restore).status, 200)
    }).pipe(onServer())
  )

  it.effect("advance to a time, stop when nothing is due, and refuse past, ambiguous or unknown targets", () =>
    Effect.gen(function* () {
      const to = "2026-12-24T09:00:00-03:00"
      assert.strictEqual((yield* advance({ to, stopWhenNothingIsDue: true })).json.steps, 0)
      assert.strictEqual((yield* advance({ to })).json.reached, "2026-12-24T12:00:00.000Z")
      const past = yield* advance({ to: "2026-12-24T11:59:59Z" })
      assert.strictEqual(past.status, 400)
      assert.include(past.json.error.message, "does not go back")
      for (const wrong of [{}, { to, ...year }, { bySeconds: 0 }, { to: "2026-12-25" }, { by: "1 year" }]) {
        assert.strictEqual((yield* advance(wrong)).status, 400, JSON.stringify(wrong))
      }
      assert.strictEqual((yield* advance({ bySeconds: Number.MAX_SAFE_INTEGER })).status, 400)
      assert.strictEqual((yield* advance(year, "nobody")).status, 404)
      assert.strictEqual((yield* call("GET", "/sandbox/companies/nobody/clock")).status, 404)
    }).pipe(onServer())
  )
})

interface Entry {
  readonly call: string
  readonly outcome: string | null
  readonly transactionId: number
  readonly isRepeat: boolean
}

interface Shown {
  readonly payday: string
  readonly status: string
  readonly statusDate: string
}

const months = Array.from({ length: 12 }, (_, index) => `2099-${String(index + 1).padStart(2, "0")}-10`)

interface Change {
  readonly event: string
  readonly to?: string
  readonly count: number
}

const capturedOf = (changes: ReadonlyArray<Change>) =>
  changes.find(({ event, to }) => event === "TransactionStatusChanged" && to === "captured")?.count ?? 0

const killedOn = inject("prove").long ? (["SQLite", "PostgreSQL"] as const) : (["SQLite"] as const)

describe.each(killedOn)("a server on %s that is killed while it advances a clock", (store) => {
  it.live(
    "continues when the advance is requested again after the next start, and sends each payment once on its own day",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = store === "SQLite" ? `${folder}/sandbox.db` : yield* newDatabase
        // Under its name it is the same advance, also where it ended as its process was held up.
        const target = { to: "2100-01-01T00:00:00Z", name: "a year" }
        const controls = "/sandbox/companies/sandbox/clock"
        // An advance that is held up for longer than its lease ends.
        const server = { folder, database, lease: 4_000 }
        yield* Effect.gen(function* () {
          const { child, ended, url } = yield* startServer(server)
          yield* Effect.promise(async () => {
            const bearer = await tokenAt(url, "sandbox", "sandbox-secret")
            const send = (path: string, body: unknown) => request("POST", `${url}/v2${path}`, { token: bearer, body })
            await send("/subscriptions/manual", byCard(cards.captured))
            for (const payday of months) await send("/transactions/sub/myId/add", payment(payday, payday))
            // The fifth takes long enough for all reads during the advance.
            for (const [milliseconds, times] of [
              [1, 4],
              [15_000, 1]
            ]) {
              const fault = { clientId: "sandbox", call: "charge", fault: { type: "Slow", milliseconds }, times }
              assert.strictEqual((await request("POST", `${url}/sandbox/faults`, { body: fault })).status, 200)
            }
            const response = request("POST", `${url}${controls}/advance`, { body: target }).catch(() => undefined)
            // Until that one is under way.
            while ((await request("GET", `${url}/sandbox/faults`)).json.faults.length > 0);
            const progress = (await request("GET", `${url}${controls}/advance`)).json
            assert.deepInclude(progress, { to: "2100-01-01T00:00:00.000Z", isRunning: true })
            assert.strictEqual(capturedOf(progress.changes), 4)
            // A request while it runs: its payment is sent on its own day.
            const added = await send("/transactions/sub/myId/add", payment("added", "2099-12-24"))
            assert.strictEqual(added.json.Transaction.status, "notSend")
            child.kill("SIGKILL")
            await ended
            assert.isUndefined(await response)
          })
        }).pipe(Effect.scoped)

        const { url } = yield* startServer(server)
        yield* Effect.promise(async () => {
          const between = (await request("GET", `${url}${controls}`)).json
          assert.isAbove(Date.parse(between.business), Date.parse("2099-05-01"))
          assert.isBelow(Date.parse(between.business), Date.parse("2100-01-01"))
          assert.strictEqual(between.advancingTo, "2100-01-01T00:00:00.000Z")
          const again = () => request("POST", `${url}${controls}/advance`, { body: target })
          let answer = await again()
          // On PostgreSQL the lease of the process that was killed has to run out.
          while (answer.status === 409) answer = await again()
          assert.strictEqual(answer.status, 200)
          // What was done before the kill is in the report.
          assert.isBelow(Date.parse(answer.json.from), Date.parse("2099-01-01"))
          assert.strictEqual(capturedOf(answer.json.changes), months.length + 1)
          assert.deepStrictEqual(answer.json.waitingWork, [])
          const { entries } = (await request("GET", `${url}/sandbox/ledger?clientId=sandbox`)).json
          const charges = (entries as ReadonlyArray<Entry>).filter(
            ({ call, outcome }) => call === "charge" && outcome !== null
          )
          assert.lengthOf(new Set(charges.map(({ transactionId }) => transactionId)), months.length + 1)
          assert.lengthOf(
            charges.filter(({ isRepeat }) => !isRepeat),
            months.length + 1
          )
          const bearer = await tokenAt(url, "sandbox", "sandbox-secret")
          const shown = await request("GET", `${url}/v2/transactions?startAt=0&limit=99`, { token: bearer })
          const days = (shown.json.Transactions as ReadonlyArray<Shown>).map(({ payday, status, statusDate }) => [
            payday,
            status,
            statusDate.slice(0, 10)
          ])
          assert.sameDeepMembers(
            days,
            [...months, "2099-12-24"].map((day) => [day, "captured", day])
          )
        })
      }).pipe(Effect.scoped),
    60_000
  )
})
