import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime, saoPaulo } from "@parcela/core/time/Instant"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { Loaded } from "@parcela/engine/command/Loads"
import * as ProviderDecisions from "@parcela/engine/payments/ProviderDecisions"
import * as SendDecisions from "@parcela/engine/payments/SendDecisions"
import { Effect, Result } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const loaded = (companyId: CompanyId, attempt: AttemptId) =>
  Effect.gen(function* () {
    const store = yield* CommandStore
    const { value } = yield* store.run({
      load: "payment",
      args: { companyId, transaction: World.ref("p"), attempt },
      decide: ({ found }: Loaded<"payment">) => Result.succeed({ value: found!, writes: undefined })
    })
    return value
  })

const name = { id: SvcPayId.make(9_999), myId: MyId.make("next") }

const at = { business: BusinessTime.make(Samples.start), machine: MachineTime.make(Samples.start) }

describe("a decision that runs again over its own writes", () => {
  it.effect("starts no second attempt, whatever the outcome of the first", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "p")
      const [begun] = yield* Rows.attempts
      const found = yield* loaded(company, AttemptId.make(begun!.id))
      const [attempt] = found.attempts
      assert.strictEqual(attempt?.result?.outcome, "denied")
      for (const decide of [ProviderDecisions.retry(attempt!.id), SendDecisions.send(attempt!.id, name, saoPaulo)]) {
        const { changes, value } = Result.getOrThrow(decide(found, at))
        assert.deepStrictEqual(changes, [])
        assert.deepStrictEqual(value.attempt, attempt)
      }
    }).pipe(World.inWorld())
  )
})
