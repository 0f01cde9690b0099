import { assert, describe, it } from "@effect/vitest"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Deferred, Duration, Effect, Layer, Option } from "effect"
import { retryPayment } from "../GiveUpAWrite.ts"

/** Whether the operator can be heard: while it cannot, it does what it is asked and every response of it is lost. */
interface Line {
  isCut: boolean
  /** What a charge waits for. */
  charge: Effect.Effect<unknown>
}

const faultsOn = (line: Line) =>
  Layer.succeed(InjectedFailures.InjectedFailures, {
    take: (call) =>
      Effect.gen(function* () {
        if (call === "charge") yield* line.charge
        return line.isCut && call !== "tokenize" ? Option.some(InjectedFailures.Fault.ResponseLost()) : Option.none()
      })
  })

/** Runs a test on a sandbox of its own. */
const onSandbox = <A, E, R>(test: (line: Line) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const line: Line = { isCut: false, charge: Effect.void }
    return Effect.provide(test(line), SandboxServer.layer().pipe(Layer.provideMerge(faultsOn(line))), { local: true })
  })

const subscription = {
  myId: "contract",
  mainPaymentMethodId: "creditcard",
  Customer: { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] },
  PaymentMethodCreditCard: {
    Card: { number: "4000000000000341", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "9517" }
  }
} as const

/** What the operator's own ledger says of its charges, in order; those asked again are left out. */
const ledger = Effect.gen(function* () {
  const sandbox = yield* SandboxServer.controls
  const { entries } = yield* sandbox.ledger.list()
  return entries
    .filter(({ call, isRepeat, outcome }) => call === "charge" && outcome !== null && !isRepeat)
    .map(({ outcome }) => outcome)
})

/** A client of a company that has one payment, `payment`, which was denied and is captured when it is retried. */
const clientWithDeniedPayment = Effect.gen(function* () {
  const company = yield* SandboxServer.companyOf()
  const client = yield* Layer.build(ParcelaClient.layer(company)).pipe(
    Effect.flatMap((context) => Effect.provide(ParcelaClient, context))
  )
  yield* client.subscriptions.createManual(subscription)
  const { Transaction } = yield* client.transactions.add(
    { typeId: "myId", id: "contract" },
    { myId: "payment", value: 1990, payday: "2020-01-01" }
  )
  assert.strictEqual(Transaction.status, "denied")
  return client
})

describe("a retry over a real socket", () => {
  it.live("whose charge was captured and whose operator says nothing is unknown to the client, and captured once", () =>
    onSandbox(
      Effect.fnUntraced(function* (line) {
        const client = yield* clientWithDeniedPayment
        const ref = { typeId: "myId", id: "payment" } as const
        line.isCut = true
        const unknown = yield* Effect.flip(client.transactions.retry(ref))
        assert(unknown._tag === "UnknownOutcome")
        assert.include(unknown.reason, "504")
        assert.deepStrictEqual(yield* ledger, ["Denied", "Captured"])

        line.isCut = false
        const { Transaction } = yield* client.transactions.retry(ref, { idempotencyKey: unknown.idempotencyKey })
        assert.strictEqual(Transaction.status, "captured")
        assert.deepStrictEqual(yield* ledger, ["Denied", "Captured"])
      })
    )
  )

  it.live("that is aborted while the operator is at it keeps its key, which brings the outcome of the one charge", () =>
    onSandbox(
      Effect.fnUntraced(function* (line) {
        const client = yield* clientWithDeniedPayment
        const isAsked = yield* Deferred.make<void>()
        const mayGoOn = yield* Deferred.make<void>()
        line.charge = Effect.andThen(Deferred.succeed(isAsked, undefined), Deferred.await(mayGoOn))
        const controller = new AbortController()
        const retrying = retryPayment(client, "payment", { signal: controller.signal })
        yield* Deferred.await(isAsked)
        controller.abort()
        const retried = yield* Effect.promise(() => retrying)
        assert(retried._tag === "Unknown")

        line.charge = Effect.void
        yield* Deferred.succeed(mayGoOn, undefined)
        const again = yield* Effect.promise(() =>
          retryPayment(client, "payment", {
            signal: AbortSignal.timeout(Duration.toMillis("20 seconds")),
            idempotencyKey: retried.idempotencyKey
          })
        )
        assert.deepStrictEqual(again, { _tag: "Known", status: "captured" })
        assert.deepStrictEqual(yield* ledger, ["Denied", "Captured"])
      })
    )
  )
})
