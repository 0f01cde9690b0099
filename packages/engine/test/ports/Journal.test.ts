import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { PlanManagement } from "@parcela/engine/plans/Plans"
import { Journal, type JournalCursor, type JournalEntry, type StateFields } from "@parcela/engine/ports/Journal"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** The states that the entries record, by kind and id. */
const rebuilt = (entries: ReadonlyArray<JournalEntry>) => {
  const states = new Map<string, StateFields>()
  for (const { after, subject } of entries) {
    if (after === undefined) continue
    const name = `${subject.kind} ${subject.id}`
    const fields = Object.entries({ ...states.get(name), ...after }).filter(([, value]) => value !== null)
    states.set(name, Object.fromEntries(fields))
  }
  return Object.fromEntries(states)
}

/** The states that the rows have, by kind and id. */
const stored = Effect.gen(function* () {
  const states: Record<string, unknown> = {}
  const tables = {
    customer: "customers",
    card: "cards",
    plan: "plans",
    subscription: "subscriptions",
    charge: "charges",
    transaction: "transactions"
  }
  for (const [kind, table] of Object.entries(tables)) {
    for (const { data, id } of yield* Rows.rows(table)) states[`${kind} ${String(id)}`] = JSON.parse(String(data))
  }
  for (const { company_id: id } of yield* Rows.rows("webhook_endpoints")) {
    const { found } = yield* look("endpoints", { companyId: CompanyId.make(Number(id)) })
    for (const { state } of found!.known) {
      states[`webhook endpoint ${state.id}`] = Schema.encodeSync(WebhookEndpointState)(state)
    }
  }
  for (const { company_id: companyId, id } of yield* Rows.rows("attempts")) {
    const transaction = { typeId: "attempt", id: AttemptId.make(String(id)) } as const
    const { found } = yield* look("payment", { companyId: CompanyId.make(Number(companyId)), transaction })
    const attempt = found!.attempts.find((one) => one.id === transaction.id)!
    states[`attempt ${transaction.id}`] = Schema.encodeSync(Attempt)(attempt)
  }
  return states
})

const followed = Effect.gen(function* () {
  const journal = yield* Journal
  // A row is what one command wrote, and has an entry for each of its subjects.
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ subjects: string }>`SELECT subjects FROM journal`
  const written = rows.flatMap(({ subjects }) => JSON.parse(subjects) as ReadonlyArray<unknown>).length
  const seen: Array<JournalEntry> = []
  let cursor: JournalCursor | undefined
  while (seen.length < written) {
    const { entries, next } = yield* journal.follow(cursor, 7)
    seen.push(...entries)
    cursor = next
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return seen
})

/** A second endpoint that everything happens to, and the first one edited. */
const endpointStory = Effect.fnUntraced(function* (company: CompanyId) {
  const management = yield* EndpointManagement
  const { id } = yield* management.create(company, { url: "https://second.example/", events: [] })
  yield* management.edit(company, id, { events: ["transaction.updateStatus"] })
  yield* management.switchOff(company, id)
  yield* management.switchOn(company, id)
  yield* management.rotate(company, id)
  yield* management.endOverlap(company, id)
  yield* World.listen(company, ["transaction.updateStatus", "subscription.addTransaction"], "https://new.example/")
})

/** A plan that is edited, and charges of it: paid by an edit, and given back. */
const chargeStory = Effect.fnUntraced(function* (company: CompanyId) {
  const charges = yield* ChargeManagement
  const plans = yield* PlanManagement
  yield* World.plan(company, { myId: "box" })
  yield* plans.edit(company, World.ref("box"), { status: "inactive" })
  yield* plans.edit(company, World.ref("box"), { status: "active" })
  const terms = { ...Samples.cardMethod(Samples.cards.captured), planMyId: "box" }
  yield* World.charge(company, "edited", { ...terms, payday: Samples.tomorrow })
  yield* charges.edit(company, World.ref("edited"), { additionalInfo: "in cash", payedOutsideSvcPay: true })
  yield* World.charge(company, "reversed", terms)
  yield* charges.reverse(company, World.ref("reversed"), {})
})

/** New, changed and ended states of every kind, with attempts that were captured, denied, registered and unknown. */
const story = Effect.gen(function* () {
  const company = yield* World.company()
  yield* World.listen(company)
  yield* endpointStory(company)
  yield* chargeStory(company)
  yield* World.subscribeByCard(company, Samples.cards.captured, "card")
  yield* World.subscribeByCard(company, Samples.cards.deniedAtFirst, "denied")
  yield* World.subscribe(company, {
    myId: "pix",
    mainPaymentMethodId: "pix",
    Customer: { ...Samples.ana, name: "Ana Lima", phones: [11_987_654_321] }
  })
  yield* World.subscribeBy(company, "boleto", "boleto")
  yield* World.pay(company, "captured", {}, "card")
  yield* World.pay(company, "later", { payday: Samples.tomorrow }, "card")
  yield* World.pay(company, "denied", {}, "denied")
  yield* World.retry(company, "denied")
  yield* World.pay(company, "pix", {}, "pix")
  yield* World.pay(company, "boleto", {}, "boleto")
  const faults = yield* World.faults
  yield* faults.next("register", World.RequestLost())
  yield* Effect.exit(World.pay(company, "unknown", {}, "boleto"))
  return company
})

const due = DueWorker.use((worker) => worker.runOnce("send payment", 10))

const eventsOf = (entries: ReadonlyArray<JournalEntry>) =>
  entries.map(({ events, subject }) => `${subject.kind}: ${events.map(({ _tag }) => _tag).join(", ")}`)

const latest = (company: CompanyId, limit: number) => Journal.use((journal) => journal.latest(company, limit))

describe("the journal", () => {
  it.effect(
    "alone has the state of every customer, card, plan, subscription, charge, transaction, webhook endpoint and attempt",
    () =>
      Effect.gen(function* () {
        yield* story
        yield* World.passTime("24 hours")
        yield* due
        const states = yield* stored
        assert.deepStrictEqual(
          [...new Set(Object.keys(states).map((name) => name.split(" ")[0]))],
          ["customer", "card", "plan", "subscription", "charge", "transaction", "webhook", "attempt"]
        )
        assert.deepStrictEqual<unknown>(rebuilt(yield* followed), states)
      }).pipe(World.inWorld())
  )

  it.effect("contains the entity of every change", () =>
    Effect.gen(function* () {
      yield* story
      const states = new Map<string, StateFields>()
      for (const { after, before, subject } of yield* followed) {
        if (after === undefined) continue
        const name = `${subject.kind} ${subject.id}`
        const state = states.get(name)
        if (state === undefined) assert.isUndefined(before, name)
        const earlier = Object.fromEntries(Object.keys(before ?? {}).map((field) => [field, state?.[field] ?? null]))
        if (before !== undefined) assert.deepStrictEqual<unknown>(before, earlier, name)
        states.set(name, { ...state, ...after })
      }
    }).pipe(World.inWorld())
  )

  it.effect("contains the actor and the request, and names the provider's outcome as the cause", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      const request: Origin = {
        actor: { _tag: "Client", clientId: "5473" },
        cause: { _tag: "Request" },
        requestId: "1f-2"
      }
      yield* Effect.provideService(World.pay(company, "p"), Origin, request)
      const entries = yield* latest(company, 5)
      assert.deepStrictEqual(eventsOf(entries), [
        "transaction: TransactionAdded, TransactionSent",
        "subscription: ",
        "attempt: ",
        "transaction: OperatorResponded, TransactionStatusChanged",
        "attempt: "
      ])
      const [attempt] = yield* Rows.attempts
      const outcome: Origin = {
        ...request,
        cause: { _tag: "ProviderOutcome", attemptId: AttemptId.make(attempt!.id) }
      }
      assert.deepStrictEqual(
        entries.map(({ origin }) => origin),
        [request, request, request, outcome, outcome]
      )
    }).pipe(World.inWorld())
  )

  it.effect("names the worker as the actor of a job, and the service without a caller", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      const { id } = yield* World.pay(company, "p", { payday: Samples.tomorrow })
      yield* World.passTime("24 hours")
      yield* due
      yield* EndpointManagement.use((endpoints) => endpoints.create(company, { url: "https://a.example", events: [] }))
      const entries = yield* latest(company, 5)
      const worker = { _tag: "Worker", kind: "send payment" } as const
      const cause = { _tag: "DueWork", kind: "send payment", subject: String(id) } as const
      assert.deepStrictEqual(entries[0]?.origin, { actor: worker, cause })
      assert.deepStrictEqual(entries[2]?.origin?.actor, worker)
      assert.strictEqual(entries[2]?.origin?.cause?._tag, "ProviderOutcome")
      assert.deepStrictEqual(entries[4]?.origin, { actor: { _tag: "Service" } })
      assert.strictEqual(entries[4]?.subject.kind, "webhook endpoint")
    }).pipe(World.inWorld())
  )

  it.effect("contains of a card only its mask, brand, expiry and vault token", () =>
    Effect.gen(function* () {
      yield* story
      const entries = yield* followed
      const cards = entries.filter(({ subject }) => subject.kind === "card")
      assert.isAbove(cards.length, 0)
      for (const { after } of cards) {
        assert.deepStrictEqual(Object.keys(after ?? {}).toSorted(), [
          "brand",
          "companyId",
          "createdAt",
          "customerId",
          "expiresAt",
          "id",
          "mask",
          "updatedAt",
          "vaultToken"
        ])
      }
      const text = JSON.stringify(entries)
      for (const secret of [...Object.values(Samples.cards), "ANA SOUZA"]) assert.notInclude(text, secret)
      // A random identifier may have four digits like these.
      assert.notMatch(text, /(?<![\w-])9517(?![\w-])/)
    }).pipe(World.inWorld())
  )
})
