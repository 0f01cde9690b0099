/**
 * Recovery of interrupted jobs and attempts at a start, and a single run of all due jobs for tests and programs without
 * workers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { machineNow } from "../ports/WriteContext.ts"
import { atOnce, DueWork, type WorkKind } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { recordKinds, Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { DueWorker } from "./DueWorker.ts"

/** Maximum number of jobs of each kind per run. */
const batch = 100

/**
 * Maximum time in which recovery starts lookups, and maximum number of attempts. A provider that does not respond must
 * not block the start.
 */
const maxRecoveryTime = Duration.seconds(10)
const maxRecovered = 10_000

/** Kinds that follow a change. They run first, because they decide which payments are sent. */
const followingKinds = [
  "follow subscription",
  "apply terms",
  "abandon deliveries"
] as const satisfies ReadonlyArray<WorkKind>

/** Kinds that move money, or register boletos and Pix codes. */
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
    /** Runs the due jobs of every kind once. Returns the number of payment jobs. */
    readonly runDueWork: Effect.Effect<number, StoreError>
    /**
     * Recovers the previous run, before the server accepts requests. Ends the leases of stopped processes and asks the
     * providers about their open attempts, for a limited time. The workers resolve the remaining attempts later.
     * Returns the approximate number of attempts.
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
        // A kind that fails does not prevent the other kinds from running.
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
        return yield* worker.runOnce("resolve attempt", maxRecovered, maxRecoveryTime)
      })

      return Recovery.of({ runDueWork, recover })
    })
  )
}
