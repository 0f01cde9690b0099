/** Reports in any order and number, between other changes of their payment and crashes: each counts once, and none is lost. */
import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingReport"
import { IncomingPayments } from "@parcela/engine/ports/IncomingPayments"
import { PaymentReports } from "@parcela/engine/ports/PaymentReports"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { FetchPayments } from "@parcela/engine/payments/FetchReports"
import { Payers } from "@parcela/provider-simulator/Payers"
import { Recovery } from "@parcela/engine/work/Recovery"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import { Deferred, Effect, Layer, Option } from "effect"
import { advanceTo, nowOf, payAt, receive, reportOf, settled, standings } from "./fixtures/Receipts.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as World from "@parcela/test-world/World"

const pending = Effect.fnUntraced(function* (method: "boleto" | "pix", myId: string) {
  const company = yield* World.company()
  yield* World.subscribeBy(company, method)
  yield* World.pay(company, myId)
  return company
})

const steps = ["a", "b", "less", "a", "b", "less", "cancel", "expire", "edit", "outside"] as const

/** Numbers that look random and are the same in each run. */
const random = (() => {
  let state = 20_261_122
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
})()

/** Fewer where each statement is a round trip. */
const walks = Array.from({ length: World.isShared() ? 12 : 40 }, () => {
  const method = random(2) === 0 ? ("boleto" as const) : ("pix" as const)
  return [method, Array.from({ length: 3 + random(7) }, () => steps[random(steps.length)]!)] as const
})

/** One walk over a payment of its own: what came in, by name. */
const walked = Effect.fnUntraced(function* (method: "boleto" | "pix", walk: ReadonlyArray<string>, myId: string) {
  const company = yield* pending(method, myId)
  const report = (id: string, value: number) => reportOf(myId, { id: `${myId} ${id}`, value: Cents.make(value) })
  // Made before anything happens: a provider reports what was registered, whatever became of it since.
  const reports: Record<string, IncomingPayment> = {
    a: yield* report("a", 1990),
    b: yield* report("b", 1990),
    less: yield* report("less", 1989)
  }
  const sent = new Set<string>()
  for (const step of walk) {
    const given = reports[step]
    if (given !== undefined) {
      sent.add(given.id)
      yield* receive(given)
    } else if (step === "cancel") yield* Effect.exit(World.cancel(company, myId))
    else if (step === "expire") yield* Effect.exit(advanceTo(company, "2026-12-31T12:00:00"))
    else if (step === "edit") yield* Effect.exit(World.edit(company, myId, { additionalInfo: "edited" }))
    else yield* Effect.exit(World.edit(company, myId, { payedOutsideSvcPay: true }))
  }
  return sent
})

describe("reports of payments", () => {
  it.effect("are applied once or stored with a reason, in any order with cancellations, edits and expiry", () =>
    Effect.gen(function* () {
      let number = 0
      for (const [method, walk] of walks) {
        const myId = `p${number++}`
        const about = `${method}: ${walk.join(", ")}`
        const sent = yield* walked(method, walk, myId)
        const all = (yield* standings).filter(([id]) => id?.startsWith(`${myId} `))
        assert.sameMembers(
          all.map(([id]) => id),
          [...sent],
          about
        )
        const taken = (yield* settled(myId)).map(([id]) => id)
        assert.sameMembers(
          all.flatMap(([id, standing]) => (standing === "applied" ? [id] : [])),
          taken,
          about
        )
        assert.strictEqual(new Set(taken).size, taken.length, about)
        assert.notInclude(
          all.map(([, standing]) => standing),
          "waiting",
          about
        )
      }
      const settlements = (yield* Rows.journal).filter((tag) => tag === "TransactionSettled").length
      const applied = (yield* standings).filter(([, standing]) => standing === "applied").length
      assert.strictEqual(settlements, applied)
      assert.isAbove(applied, 3)
    }).pipe(World.inWorld())
  )
})

const down = Effect.fail(new StoreError({ reason: new Unavailable({ cause: new Error("the process ends here") }) }))

let isEnding = false

type Store = ReturnType<typeof World.storeAt>

/** The steps that a process did not execute before its end. */
const crashes: Readonly<Record<string, (store: Store) => Store>> = {
  "before the report is kept": (store) =>
    Layer.provideMerge(
      Layer.effect(
        IncomingPayments,
        Effect.map(IncomingPayments, (inner) => ({ ...inner, keep: () => down }))
      ),
      store
    ),
  "once it is kept": (store) =>
    Layer.provideMerge(
      Layer.effect(
        CommandStore,
        Effect.map(CommandStore, (inner) => ({
          run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) => (isEnding ? down : inner.run(command))
        }))
      ),
      store
    ),
  "once it is applied": (store) =>
    Layer.provideMerge(
      Layer.effect(
        IncomingPayments,
        Effect.map(IncomingPayments, (inner) => ({ ...inner, mark: () => down }))
      ),
      store
    )
}

describe("a process that ends", () => {
  for (const [when, ending] of Object.entries(crashes)) {
    it.effect(`${when} loses no report: five before and five after a restart are applied once`, () =>
      Effect.gen(function* () {
        const database = yield* World.database
        const ids = ["E1", "E2"]
        yield* Effect.gen(function* () {
          yield* pending("boleto", "p")
          isEnding = true
          for (let times = 0; times < 5; times++) {
            for (const id of ids) yield* Effect.exit(receive(yield* reportOf("p", { id })))
          }
          isEnding = false
        }).pipe(World.inWorld({ database, store: ending(World.storeAt(database)) }))
        yield* Effect.gen(function* () {
          const { recover, runDueWork } = yield* Recovery
          yield* World.leasesEnd
          yield* recover
          for (let times = 0; times < 5; times++) {
            for (const id of ids.toReversed()) yield* receive(yield* reportOf("p", { id }))
          }
          yield* World.passTime("2 minutes")
          yield* runDueWork
          assert.sameMembers(
            (yield* settled("p")).map(([id]) => String(id)),
            ids
          )
          assert.deepStrictEqual(
            (yield* standings).map(([, standing]) => standing),
            ["applied", "applied"]
          )
          assert.strictEqual((yield* Rows.transaction("p")).status, "paidDuplicityBoleto")
          assert.strictEqual((yield* Rows.journal).filter((tag) => tag === "TransactionSettled").length, 2)
        }).pipe(World.inWorld({ database }))
      })
    )
  }
})

const payedOnce = Effect.gen(function* () {
  assert.strictEqual((yield* Rows.transaction("p")).status, "payedPix")
  assert.lengthOf(yield* settled("p"), 1)
  assert.strictEqual((yield* Rows.journal).filter((tag) => tag === "TransactionSettled").length, 1)
})

describe("a Pix whose provider is polled for reports", () => {
  it.effect("is paid once, although its report arrives five times before and five times after a restart", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      const company = yield* Effect.gen(function* () {
        const company = yield* pending("pix", "p")
        const reports = yield* PaymentReports
        const lost = new ProviderError({ provider: "Pix provider", cause: "the process ends here" })
        const cut = Layer.succeed(PaymentReports, { ...reports, acknowledge: () => Effect.fail(lost) })
        yield* Effect.gen(function* () {
          yield* Effect.exit(payAt(company, "p"))
          for (let times = 0; times < 4; times++) yield* Effect.flip(FetchPayments.use(({ fetch }) => fetch(company)))
        }).pipe(Effect.provide(Layer.fresh(FetchPayments.layer).pipe(Layer.provide(cut)), { local: true }))
        yield* payedOnce
        return company
      }).pipe(World.inWorld({ database }))
      yield* Effect.gen(function* () {
        const { recover } = yield* Recovery
        yield* World.leasesEnd
        yield* recover
        for (let times = 0; times < 5; times++) yield* FetchPayments.use(({ fetch }) => fetch(company))
        yield* payedOnce
        assert.deepStrictEqual(yield* (yield* PaymentReports).next(company), Option.none())
      }).pipe(World.inWorld({ database }))
    })
  )

  it.effect("is fetched after a crash, although another payment of the company completed before", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      yield* Effect.gen(function* () {
        const company = yield* pending("pix", "p")
        yield* World.pay(company, "other")
        const { expecting } = yield* FetchPayments
        const { pay } = yield* Payers
        const found = yield* Transactions.use(({ find }) => find(company, World.ref("p")))
        const order = { companyId: company, transactionId: Option.getOrThrow(found).id, at: yield* nowOf(company) }
        const other = yield* Deferred.make<void>()
        const paid = yield* Deferred.make<void>()
        const ended = Effect.andThen(Deferred.succeed(paid, undefined), Effect.interruptible(Effect.never))
        const slow = Effect.andThen(Deferred.await(other), Effect.andThen(pay(order), ended))
        const paying = yield* Effect.forkDetach(expecting(company, slow))
        yield* World.passTime("1 second")
        yield* payAt(company, "other")
        yield* Deferred.succeed(other, undefined)
        yield* Deferred.await(paid)
        paying.interruptUnsafe()
      }).pipe(World.inWorld({ database }))
      yield* Effect.gen(function* () {
        const { recover, runDueWork } = yield* Recovery
        yield* World.leasesEnd
        yield* recover
        yield* World.passTime("2 minutes")
        yield* runDueWork
        assert.strictEqual((yield* Rows.transaction("p")).status, "payedPix")
      }).pipe(World.inWorld({ database }))
    })
  )
})
