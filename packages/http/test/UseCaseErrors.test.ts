import { assert, describe, it } from "@effect/vitest"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { OutcomeUnknown } from "@parcela/engine/payments/AttemptRecords"
import type { KeyReused } from "@parcela/engine/command/IdempotencyKey"
import { CommitUnknown, Corrupt, Rejected, StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { refusalStatus, type DocumentedError, errorResponse } from "@parcela/http/UseCaseErrors"
import type { BadRequest, GatewayTimeout, NotFound, Unprocessable } from "@parcela/transport/ApiError"
import type { PlansGroup } from "@parcela/transport/contract/Plans"
import { Cause, Effect, Exit, Logger } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { expectTypeOf } from "vitest"

const because = (reason: StoreError["reason"]) => Effect.fail(new StoreError({ reason }))

const throughTable = (effect: Effect.Effect<never, StoreError>) =>
  Effect.catch(effect, (error) => errorResponse(error, true))

describe("a refusal", () => {
  it("is a 404 when the named entity does not exist, and a 400 otherwise", () => {
    const missing = Object.entries(refusalStatus).flatMap(([tag, status]) => (status === 404 ? [tag] : []))
    const named = missing.filter((tag) => tag.endsWith("NotFound"))
    assert.includeMembers(named, ["SubscriptionNotFound", "TransactionNotFound", "CustomerNotFound", "PlanNotFound"])
    // What is over is there: public clients know a cancellation before theirs by a 404.
    assert.sameMembers(missing, [...named, "CardUnknown", "CustomerUnknown", "SubscriptionOver", "CancelledBefore"])
  })

  it.effect("has its own status and its fields in the error node", () =>
    Effect.gen(function* () {
      const gone = yield* errorResponse(refuse({ _tag: "TransactionNotFound", typeId: "myId" }), true)
      const past = yield* errorResponse(refuse({ _tag: "CardMissing" }), true)
      assert.deepStrictEqual([gone.status, past.status], [404, 400])
    })
  )
})

describe("the failures of an operation", () => {
  it("are the failures that its endpoint documents", () => {
    type Documented = DocumentedError<BadRequest>
    expectTypeOf<RefusedBy<"MyIdTaken">>().toExtend<Documented>()
    expectTypeOf<StoreError>().toExtend<Documented>()
    expectTypeOf<RefusedBy<"MyIdTaken" | "PlanNotFound">>().not.toExtend<Documented>()
    expectTypeOf<KeyReused>().not.toExtend<Documented>()
    expectTypeOf<OutcomeUnknown>().not.toExtend<Documented>()
    expectTypeOf<RefusedBy<"MyIdTaken" | "PlanNotFound">>().toExtend<DocumentedError<BadRequest | NotFound>>()
    expectTypeOf<KeyReused>().toExtend<DocumentedError<BadRequest | Unprocessable>>()
    expectTypeOf<OutcomeUnknown>().toExtend<DocumentedError<BadRequest | GatewayTimeout>>()
  })

  it("are specific to each endpoint", () => {
    type Endpoints = HttpApiGroup.Endpoints<typeof PlansGroup>
    type FailuresOf<Name> = Extract<Endpoints, { readonly identifier: Name }>["~Error"]["Type"]
    expectTypeOf<NotFound>().toExtend<FailuresOf<"edit">>()
    expectTypeOf<NotFound>().not.toExtend<FailuresOf<"create">>()
  })
})

describe("a store that fails", () => {
  it.effect("is a 503 that reports that nothing was changed when the store is unavailable", () =>
    Effect.gen(function* () {
      const response = yield* throughTable(because(new Unavailable({ cause: "database or disk is full" })))
      assert.strictEqual(response.status, 503)
      assert.notInclude(JSON.stringify(response), "disk is full")
    })
  )

  it.effect("is one line of the log with the innermost reason, and no trace", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const refused = new Error("connect ECONNREFUSED\n127.0.0.1:5432")
      const cause = new Error("the query failed", { cause: refused })
      yield* Effect.provide(throughTable(because(new Unavailable({ cause }))), logged)
      assert.deepStrictEqual(lines, ["The store could not be used: connect ECONNREFUSED 127.0.0.1:5432"])
    })
  )

  it.effect("is a defect when the store refuses a statement, contains invalid rows, or lost a commit", () =>
    Effect.gen(function* () {
      const reasons = [
        new Rejected({ cause: "syntax" }),
        new Corrupt({ table: "cards", cause: "odd" }),
        new CommitUnknown({ cause: "connection lost" })
      ]
      for (const reason of reasons) {
        const exit = yield* Effect.exit(throughTable(because(reason)))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), reason._tag)
      }
    })
  )
})
