/** Every fault of a provider, and a crash at every step of a payment: see each cell's name. */
import { assert, describe, it } from "@effect/vitest"
import { CreateCharge } from "@parcela/core/charges/Charge"
import { AddPayment, EditPayment } from "@parcela/core/transactions/PaymentRequests"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { EditSubscription } from "@parcela/core/subscriptions/Subscription"
import { referencesOf, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import type { BillingError } from "@parcela/core/errors/BillingError"
import type { OutcomeUnknown } from "@parcela/engine/payments/AttemptRecords"
import type { KeyUse, KeyReused, StoredResponse } from "@parcela/engine/command/IdempotencyKey"
import type { CommandOutcome } from "@parcela/engine/command/Command"
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import { SubscriptionEditing } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { Payments } from "@parcela/engine/payments/Payments"
import { Fault } from "@parcela/provider-simulator/InjectedFailures"
import { Effect, Fiber, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { type Crash, processOf, type Step, steps } from "./fixtures/Crash.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const no = { code: "57", message: "not permitted" }

/** The failure of the request that executes the work. */
const faults = {
  "no fault": undefined,
  "a refusal": Fault.Denied(no),
  "a 5xx": Fault.Unavailable(),
  "a hang before the work": Fault.Hang({ isDone: false }),
  "a hang after the work": Fault.Hang({ isDone: true }),
  "a connection cut": Fault.RequestLost(),
  "a response lost after the work": Fault.ResponseLost(),
  "a response that comes twice": Fault.Duplicated()
}

const key = (companyId: CompanyId): KeyUse<PaymentContext> => ({
  name: { companyId, key: "k", fingerprint: "f" },
  respond: receivedOf
})

const receivedOf = ({ transaction }: PaymentContext): StoredResponse => ({
  status: 200,
  body: `${transaction.status}${pendingAttemptOf(transaction) === undefined ? "" : pendingAttempt}`
})

/** In place of an outcome: a repeat under the key gets that once it is known. */
const pendingAttempt = ", under way"

const byCard = (companyId: CompanyId) => World.subscribeByCard(companyId, Samples.cards.captured)
const byBoleto = (companyId: CompanyId) => World.subscribeBy(companyId, "boleto")
const byPix = (companyId: CompanyId) => World.subscribeBy(companyId, "pix")

/** The state before the command, with the payment of the command. */
const paid = (subscribe: typeof byCard | typeof byBoleto) => (companyId: CompanyId) =>
  Effect.andThen(subscribe(companyId), World.pay(companyId, "p"))

const add = Effect.fnUntraced(function* (companyId: CompanyId) {
  const body = { myId: "p", value: 1990, payday: Samples.today }
  const command = yield* Effect.orDie(Schema.decodeUnknownEffect(AddPayment)(body))
  return yield* Payments.use((payments) => payments.add(companyId, World.ref("sub"), command, key(companyId)))
})

/** A payment whose one try was denied. */
const denied = Effect.fnUntraced(function* (companyId: CompanyId) {
  const plan = yield* World.faults
  yield* plan.next("charge", Fault.Denied(no))
  yield* paid(byCard)(companyId)
})

const notDue = (companyId: CompanyId) =>
  Effect.andThen(byCard(companyId), World.pay(companyId, "p", { payday: Samples.tomorrow }))

const edit = (body: object) =>
  Effect.fnUntraced(function* (companyId: CompanyId) {
    const command = yield* Effect.orDie(Schema.decodeUnknownEffect(EditPayment)(body))
    return yield* Payments.use((payments) => payments.edit(companyId, World.ref("p"), command, key(companyId)))
  })

const held = (companyId: CompanyId) =>
  Effect.andThen(byCard(companyId), World.pay(companyId, "p", { PaymentMethodCreditCard: { preAuthorize: true } }))

const capture = (companyId: CompanyId) =>
  Payments.use((payments) => payments.capture(companyId, World.ref("p"), key(companyId)))

const reverse = (companyId: CompanyId) =>
  Payments.use((payments) => payments.reverse(companyId, World.ref("p"), {}, key(companyId)))

const cancel = (companyId: CompanyId) =>
  Payments.use((payments) => payments.cancel(companyId, World.ref("p"), key(companyId)))

const waive = (companyId: CompanyId) =>
  Payments.use((payments) => payments.waive(companyId, World.ref("p"), key(companyId)))

/** An edit of the subscription, whose payments follow by due work: its response is there at once. */
const editSubscription = Effect.fnUntraced(function* (companyId: CompanyId) {
  const command = yield* Effect.orDie(Schema.decodeUnknownEffect(EditSubscription)({ mainPaymentMethodId: "pix" }))
  const { name } = key(companyId)
  const body = "edited"
  const use = { name, respond: () => ({ status: 200, body }) }
  const edited = yield* SubscriptionEditing.use((editing) => editing.edit(companyId, World.ref("sub"), command, use))
  return edited._tag === "Replayed" ? edited : ({ _tag: "Replayed", response: { status: 200, body } } as const)
})

/** A charge by card that is due today. */
const chargeOf = (terms: object) => ({
  myId: "c",
  value: 1990,
  payday: Samples.today,
  Customer: Samples.ana,
  ...Samples.cardMethod(Samples.cards.captured, terms)
})

const charged = (terms: object) => (companyId: CompanyId) => World.charge(companyId, "c", chargeOf(terms))

const deniedCharge = Effect.fnUntraced(function* (companyId: CompanyId) {
  const plan = yield* World.faults
  yield* plan.next("charge", Fault.Denied(no))
  yield* charged({})(companyId)
})

const create = Effect.fnUntraced(function* (companyId: CompanyId) {
  const command = yield* Effect.orDie(Schema.decodeUnknownEffect(CreateCharge)(chargeOf({})))
  return yield* ChargeManagement.use((charges) => charges.create(companyId, command, key(companyId)))
})

const retryCharge = (companyId: CompanyId) =>
  ChargeManagement.use((charges) => charges.retry(companyId, World.ref("c"), key(companyId)))

const captureCharge = (companyId: CompanyId) =>
  ChargeManagement.use((charges) => charges.capture(companyId, World.ref("c"), key(companyId)))

const reverseCharge = (companyId: CompanyId) =>
  ChargeManagement.use((charges) => charges.reverse(companyId, World.ref("c"), {}, key(companyId)))

/**
 * The command, its provider request and effect, and the status of a payment with the work executed and with the work
 * refused. `tried`: the number of earlier, denied requests. `again`: the request that registered its payment, and that
 * registers it again after the withdrawal.
 */
const kinds = {
  "a card's charge": {
    prepare: byCard,
    give: add,
    call: "charge",
    effect: "captured",
    done: "captured",
    refused: "denied"
  },
  "a boleto's registration": {
    prepare: byBoleto,
    give: add,
    call: "register",
    effect: "registered",
    done: "pendingBoleto",
    refused: "notCompensated"
  },
  "a Pix's registration": {
    prepare: byPix,
    give: add,
    call: "open",
    effect: "registered",
    done: "pendingPix",
    refused: "unavailablePix"
  },
  "a card's capture": {
    prepare: held,
    give: capture,
    call: "capture",
    effect: "captured",
    done: "captured",
    refused: "denied"
  },
  "a card's reversal": {
    prepare: paid(byCard),
    give: reverse,
    call: "reverse",
    effect: "reversed",
    done: "reversed",
    refused: "captured"
  },
  "a boleto's cancellation": {
    prepare: paid(byBoleto),
    give: cancel,
    call: "cancel",
    effect: "canceled",
    done: "cancel",
    refused: "pendingBoleto"
  },
  "a Pix's cancellation": {
    prepare: paid(byPix),
    give: cancel,
    call: "cancel",
    effect: "canceled",
    done: "cancel",
    refused: "pendingPix"
  },
  "a waiver's withdrawal": {
    prepare: paid(byPix),
    give: waive,
    call: "cancel",
    effect: "canceled",
    done: "free",
    refused: "pendingPix"
  },
  "an edit's charge": {
    prepare: notDue,
    give: edit({ payday: Samples.today }),
    call: "charge",
    effect: "captured",
    done: "captured",
    refused: "denied"
  },
  "an edit's retry": {
    prepare: denied,
    give: edit({ paydayDate: Samples.today }),
    call: "charge",
    effect: "captured",
    done: "captured",
    refused: "denied",
    tried: 1
  },
  "an edit's withdrawal": {
    prepare: paid(byBoleto),
    give: edit({ payedOutsideSvcPay: true }),
    call: "cancel",
    effect: "canceled",
    done: "payExternal",
    refused: "pendingBoleto"
  },
  "an edit's new registration": {
    prepare: paid(byBoleto),
    give: edit({ value: 2990 }),
    call: "cancel",
    effect: "canceled",
    done: "pendingBoleto",
    refused: "pendingBoleto",
    again: { call: "register", effect: "registered", value: 2990 }
  },
  "an edit's other method": {
    prepare: paid(byBoleto),
    give: editSubscription,
    call: "cancel",
    effect: "canceled",
    done: "pendingPix",
    refused: "pendingBoleto",
    again: { call: "open", effect: "registered", value: 1990 }
  },
  "a charge's creation": {
    prepare: () => Effect.void,
    give: create,
    call: "charge",
    effect: "captured",
    done: "captured",
    refused: "denied"
  },
  "a charge's retry": {
    prepare: deniedCharge,
    give: retryCharge,
    call: "charge",
    effect: "captured",
    done: "captured",
    refused: "denied",
    tried: 1
  },
  "a charge's capture": {
    prepare: charged({ preAuthorize: true }),
    give: captureCharge,
    call: "capture",
    effect: "captured",
    done: "captured",
    refused: "denied"
  },
  "a charge's reversal": {
    prepare: charged({}),
    give: reverseCharge,
    call: "reverse",
    effect: "reversed",
    done: "reversed",
    refused: "captured"
  }
} as const

/** The status of a charge, by that of its payment. */
const chargeStatuses: Readonly<Record<string, string>> = { captured: "closed", reversed: "closed", denied: "active" }

type Kind = keyof typeof kinds

interface Judged {
  readonly call: keyof typeof attemptKinds
  readonly done: string
  readonly effect: string
  readonly refused: string
  readonly tried?: number
  readonly again?: { readonly call: keyof typeof attemptKinds; readonly effect: string; readonly value: number }
}

type Give = (
  companyId: CompanyId
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  BillingError | KeyReused | OutcomeUnknown | ProviderError | StoreError,
  ChargeManagement | Payments | SubscriptionEditing
>

/** The client, who gives the same command under the same key until it gets a response. */
const client = (kind: Kind, companyId: CompanyId) => {
  const give: Give = kinds[kind].give
  return give(companyId).pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "OutcomeUnknown", schedule: Schedule.spaced("10 seconds") }),
    Effect.map((completed) => (completed._tag === "Done" ? receivedOf(completed.value) : completed.response)),
    Effect.catchTag("BillingError", ({ message }) => Effect.succeed({ status: 400, body: message }))
  )
}

/** A server's workers: what they do at the start, and then again and again. */
const workers = Effect.gen(function* () {
  const { recover, runDueWork } = yield* Recovery
  yield* recover
  while (true) {
    yield* runDueWork
    yield* Effect.sleep("30 seconds")
  }
})

/** A process with a client; it ends when its client got a response and its time is over, or at its crash. */
const life = Effect.fnUntraced(function* (kind: Kind, companyId: CompanyId, crash: Crash) {
  const before = crash.isReached
  const working = yield* Effect.forkDetach(workers)
  const requesting = yield* Effect.forkDetach(client(kind, companyId))
  for (let passed = 0; passed < 30 && crash.isReached === before; passed++) {
    if (requesting.pollUnsafe() !== undefined && (crash.at === "never" || crash.isReached)) break
    yield* World.passTime("10 seconds")
  }
  const received = requesting.pollUnsafe() === undefined ? undefined : yield* Fiber.join(requesting)
  // Not waited for: a fiber that asks a provider for money is interrupted by nothing, and its store is closed with it.
  for (const fiber of [requesting, working]) fiber.interruptUnsafe()
  return received
})

/** After a last start: what the providers did, and what the service knows of it. */
const balanced = Effect.fnUntraced(function* (companyId: CompanyId, kind: Kind, isRefused: boolean) {
  const { recover, runDueWork } = yield* Recovery
  yield* World.leasesEnd
  // The fault may wait for this process: a provider that hangs lets go when its time is over, and the clock is ours.
  yield* World.whileTimePasses(recover)
  for (let passed = 0; passed < 2; passed++) {
    yield* World.passTime("10 minutes")
    yield* World.whileTimePasses(runDueWork)
  }
  const sql = yield* SqlClient.SqlClient
  // The expiry of an open boleto or Pix is a date weeks from now.
  const work = yield* sql`SELECT kind, subject FROM due_work WHERE kind NOT LIKE 'delete %' AND clock = 'machine'`
  assert.deepStrictEqual(work, [], "work that is stuck")
  const page = { startAt: 0, limit: 9, order: [] }
  const [state, ...others] = (yield* Transactions.use((all) => all.list(companyId, {}, page))).map(
    ({ transaction }) => transaction
  )
  assert(state !== undefined)
  assert.deepStrictEqual(others, [], "a payment that nobody asked for")
  const { call, done, effect, refused, tried = 0, again }: Judged = kinds[kind]
  assert.strictEqual(state.status, isRefused ? refused : done)
  assert.isUndefined(pendingAttemptOf(state))
  const attempts = yield* Rows.attempts
  for (const { settled_at } of attempts) assert.isNotNull(settled_at)
  assert.lengthOf(
    attempts.filter((attempt) => attempt.kind === attemptKinds[call]),
    tried + 1
  )
  const charges = yield* sql`SELECT status FROM charges`
  assert.deepStrictEqual(charges, state.owner._tag === "Charge" ? [{ status: chargeStatuses[state.status] }] : [])
  const requested = yield* World.providerRequests
  const effects = requested.filter((entry) => entry.call === call && entry.effect === effect)
  assert.lengthOf(effects, isRefused ? 0 : 1)
  const known = referencesOf(state).map(({ value }) => value)
  const made = again === undefined ? effects : requested.filter((entry) => entry.call === again.call)
  if (again !== undefined) {
    assert.deepStrictEqual<unknown>(
      made.map(({ effect, value }) => [effect, value]),
      [
        ...(again.call === "register" ? [[again.effect, 1990]] : []),
        ...(isRefused ? [] : [[again.effect, again.value]])
      ]
    )
    // Without a second registration: as requested.
    assert.strictEqual(state.value, made.at(-1)?.value ?? 1990)
  }
  // What was undone is not known any more.
  for (const { reference } of made.slice(-1)) if (reference !== null) assert.include(known, reference)
  const events = yield* Rows.journal
  for (const [event, times] of Object.entries({ TransactionAdded: 1, TransactionSent: attempts.length })) {
    assert.lengthOf(
      events.filter((name) => name === event),
      times,
      event
    )
  }
})

/** The attempt that a call to a provider is made for. */
const attemptKinds = {
  charge: "charge",
  capture: "capture",
  register: "register",
  open: "register",
  reverse: "reverse",
  cancel: "cancel"
}

const cell = Effect.fnUntraced(function* (kind: Kind, fault: Fault | undefined, at: Step | "never") {
  const database = yield* World.database
  const company = yield* Effect.gen(function* () {
    const company = yield* World.company()
    yield* kinds[kind].prepare(company)
    return company
  }).pipe(World.inWorld({ database }))
  const crash: Crash = { at, isReached: false }
  const received: Array<StoredResponse> = []
  let planned = fault === undefined ? [] : [{ call: kinds[kind].call, fault, subject: {}, times: 1 }]
  for (let lives = 0; lives < 2; lives++) {
    const { providers, store } = processOf(crash)
    const response = yield* Effect.gen(function* () {
      const plan = yield* World.faults
      yield* Effect.forEach(planned, plan.add)
      const response = yield* life(kind, company, crash)
      // A fault that no request met yet waits for the next process.
      planned = [...(yield* plan.planned)] as typeof planned
      return response
    }).pipe(World.inWorld({ database, store: Layer.provideMerge(store, World.storeAt(database)), providers }))
    if (response !== undefined) received.push(response)
  }
  assert.strictEqual(crash.isReached, at !== "never")
  yield* Effect.gen(function* () {
    const plan = yield* World.faults
    yield* Effect.forEach(planned, plan.add)
    yield* balanced(company, kind, fault?._tag === "Denied")
    received.push(
      yield* World.whileTimePasses(client(kind, company)),
      yield* World.whileTimePasses(client(kind, company))
    )
    yield* balanced(company, kind, fault?._tag === "Denied")
  }).pipe(World.inWorld({ database }))
  const outcomes = received.filter(({ body }) => !body.endsWith(pendingAttempt))
  assert.isAtLeast(outcomes.length, 2)
  for (const response of outcomes) assert.deepStrictEqual(response, outcomes[0])
})

const prove = inject("prove")

/** The kinds whose steps are those of all others: `npm test` has their faults and their crashes, one by one. */
const standing: ReadonlyArray<Kind> = ["a card's charge", "a boleto's registration", "a card's reversal"]

/** The worst pair: the provider has executed the request, and the requesting process has ended. */
const worst = { name: "a response lost after the work", at: "after command 1" } as const

/** Every cell with `npm run prove -- faults`. `npm test` has one fault or one crash at a time, and the worst cell of each kind. */
const isRun = (kind: Kind, name: string, at: Step | "never"): boolean => {
  if (prove.long) return true
  if (name === worst.name && at === worst.at) return !World.isShared() || standing.includes(kind)
  return !World.isShared() && standing.includes(kind) && (at === "never" || name === "no fault")
}

const cells = (Object.keys(kinds) as ReadonlyArray<Kind>).flatMap((kind) =>
  Object.entries(faults).flatMap(([name, fault]) =>
    (["never", ...steps] as const).flatMap((at) => (isRun(kind, name, at) ? [{ kind, name, fault, at }] : []))
  )
)

for (const [kind, some] of Map.groupBy(cells, ({ kind }) => kind)) {
  describe(`${kind} has one effect, which the service finally records`, () => {
    for (const { at, fault, name } of some) {
      it.effect(
        `with ${name}, and ${at === "never" ? "no crash" : `a crash ${at}`}`,
        () => cell(kind, fault, at),
        // Seconds of real time on PostgreSQL, on a machine that does other things too.
        prove.long ? 120_000 : undefined
      )
    }
  })
}
