/**
 * Recovers, at a start, what the last run left under way; and runs due work once, for programs without workers and for tests.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { machineNow } from "../ports/Times.ts"
import { atOnce, DueWork, type WorkKind } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { recordKinds } from "../ports/OldRecords.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { DueWorker } from "./DueWorker.ts"

/** How many rows of each kind one run handles. */
const batch = 100

/** For how long a start begins look-ups, and of how many attempts at most: a provider that hangs does not delay the start for ever. */
const longestRecovery = Duration.seconds(10)
const mostRecovered = 10_000

/** The kinds that follow a change: what they decide comes before what is sent. */
const followingKinds = [
  "follow subscription",
  "apply terms",
  "give up deliveries"
] as const satisfies ReadonlyArray<WorkKind>

/** The kinds that move money or codes. */
const paymentKinds = [
  "resolve attempt",
  "cancel payment",
  "change payment",
  "send payment",
  "apply payment",
  "fetch payments",
  "fetch chargeback",
  "expire payment"
] as const satisfies ReadonlyArray<WorkKind>

/**
 * @category services
 * @since 0.1.0
 */
export class Recovery extends Context.Service<
  Recovery,
  {
    /** Runs what is due now, every kind once; returns how many payments and attempts it handled. */
    readonly runDueWork: Effect.Effect<number, StoreError>
    /**
     * For a start, before the first request is taken: ends the leases of processes that are gone, and asks the
     * providers about the attempts that they left, for a limited time: the workers resolve the rest while requests are
     * served. Returns about how many it asked about.
     */
    readonly recover: Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/work/Recovery") {
  static readonly layer: Layer.Layer<Recovery, never, DueWork | DueWorker | Leases> = Layer.effect(
    Recovery,
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const leases = yield* Leases
      const worker = yield* DueWorker
      const { retention } = yield* Settings

      const housekeeping = [
        { kind: "delete expired tokens", subject: "tokens" },
        ...recordKinds
          .filter((kind) => retention[kind] !== undefined)
          .map((subject) => ({ kind: "delete old records", subject }) as const)
      ] as const

      const scheduleHousekeeping = Effect.flatMap(machineNow, (now) =>
        Effect.forEach(housekeeping, (work) => dueWork.ensure({ ...work, ...atOnce(now) }), { discard: true })
      )

      const runDueWork = Effect.gen(function* () {
        // Each kind runs, whether or not the others fail.
        const run = (kind: WorkKind) => Effect.exit(worker.runOnce(kind, batch))
        const followed = yield* Effect.forEach(followingKinds, run)
        const ran = yield* Effect.forEach(paymentKinds, run)
        yield* scheduleHousekeeping
        yield* worker.runOnce("delete expired tokens", 1)
        yield* worker.runOnce("delete old records", recordKinds.length)
        yield* Effect.all(followed)
        const counts = yield* Effect.all(ran)
        return counts.reduce((sum, count) => sum + count, 0)
      })

      const recover = Effect.gen(function* () {
        yield* leases.recover(yield* machineNow)
        yield* scheduleHousekeeping
        return yield* worker.runOnce("resolve attempt", mostRecovered, longestRecovery)
      })

      return Recovery.of({ runDueWork, recover })
    })
  )
}
