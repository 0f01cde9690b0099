import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import * as AttemptRecords from "@parcela/engine/payments/AttemptRecords"
import type { KeyUse } from "@parcela/engine/command/IdempotencyKey"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { CompanySnapshots } from "@parcela/engine/ports/CompanySnapshots"
import { Payments } from "@parcela/engine/payments/Payments"
import * as CompanySnapshotsSql from "@parcela/store-sql/CompanySnapshotsSql"
import { Effect } from "effect"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

describe("a payment that changes between the end of its attempt and the response to it", () => {
  it.effect("has the same response under its key", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* World.pay(company, "p")
      const payments = yield* Payments
      const records = yield* AttemptRecords.make
      const key: KeyUse<PaymentContext> = {
        name: { companyId: company, key: "k", fingerprint: "f" },
        respond: ({ transaction }) => ({ status: 200, body: transaction.additionalInfo ?? transaction.status })
      }
      const reverse = payments.reverse(company, World.ref("p"), {}, key)
      const faults = yield* World.faults
      yield* faults.next("reverse", World.ResponseLost())
      const unknown = yield* Effect.flip(reverse)
      assert(unknown._tag === "OutcomeUnknown")
      yield* payments.show(company, World.ref("p"))
      const ended = yield* records.load(company, World.ref("p"), AttemptId.make(unknown.attemptId))
      yield* World.edit(company, "p", { additionalInfo: "later" })
      const [attempt] = ended.attempts
      yield* records.complete(ended, attempt, key)
      assert.deepStrictEqual(yield* reverse, { _tag: "Replayed", response: { status: 200, body: "reversed" } })
    }).pipe(World.inWorld())
  )
})

describe("the outcome of an attempt whose company is restored during the attempt", () => {
  it.effect("is not recorded, although the restored company has the attempt: the provider is asked again", () =>
    Effect.gen(function* () {
      const snapshots = yield* CompanySnapshots
      const records = yield* AttemptRecords.make
      const company = yield* World.company()
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* (yield* World.faults).next("charge", World.RequestLost())
      yield* World.pay(company, "p")
      const pendingAttempt = yield* records.load(company, World.ref("p"))
      const request = { at: yield* machineNow, layout: "", secondary: () => Effect.succeed(0) }
      yield* snapshots.take(company, "base", request)
      yield* snapshots.restore(company, "base", { ...request, secondary: () => Effect.void })
      const outcome = { _tag: "Captured", tid: "t", authorizationCode: "1" } as const
      const late = yield* Effect.flip(records.record(pendingAttempt.attempts[0]!, pendingAttempt, outcome, undefined))
      assert.strictEqual(late.reason._tag, "CompanyRestored")
      const left = yield* records.load(company, World.ref("p"))
      assert.strictEqual(left.transaction.status, "notSend")
      assert.isUndefined(left.attempts[0]?.result)
      yield* snapshots.restore(company, undefined, { ...request, secondary: () => Effect.void })
      const gone = yield* Effect.flip(records.record(pendingAttempt.attempts[0]!, pendingAttempt, outcome, undefined))
      assert.strictEqual(gone.reason._tag, "CompanyRestored")
    }).pipe(Effect.provide(CompanySnapshotsSql.layerNoDeps), World.inWorld())
  )
})
