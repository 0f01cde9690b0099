/**
 * Works off what is due by hand, one look at a time; and takes up, at a start, what the last run left behind.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { machineNow } from "../commands/Times.ts"
import { atOnce, DueWork, type WorkKind } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { recordKinds } from "../ports/OldRecords.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { DueWorker } from "./DueWorker.ts"

/** How many rows of each kind one look works on. */
const batch = 100

/** How long a start begins to ask, and how many attempts at most: a provider that hangs does not keep the service down. */
const recovery = Duration.seconds(10)
const mostRecovered = 10_000

/** The kinds that follow a change: what they decide comes before what is sent. */
const followingKinds = ["follow subscription", "give up deliveries"] as const satisfies ReadonlyArray<WorkKind>

/** The kinds that move money or codes. */
const paymentKinds = ["resolve attempt", "send payment"] as const satisfies ReadonlyArray<WorkKind>

/**
 * @category services
 * @since 0.1.0
 */
export class Sweeper extends Context.Service<
  Sweeper,
  {
    /** One look at every kind; returns how many payments and attempts it worked on. */
    readonly sweep: Effect.Effect<number, StoreError>
    /**
     * For a start, before the first request is taken: ends the leases of processes that are gone, and asks what became
     * of the attempts that they left, for a limited time: what is left then is the workers', while requests are served.
     * Returns about how many it asked.
     */
    readonly recover: Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/workers/Sweeper") {
  static readonly layer: Layer.Layer<Sweeper, never, DueWork | DueWorker | Leases> = Layer.effect(
    Sweeper,
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

      const sweep = Effect.gen(function* () {
        // Each kind has its look, whatever becomes of the others.
        const look = (kind: WorkKind) => Effect.exit(worker.runOnce(kind, batch))
        const followed = yield* Effect.forEach(followingKinds, look)
        const looks = yield* Effect.forEach(paymentKinds, look)
        yield* scheduleHousekeeping
        yield* worker.runOnce("delete expired tokens", 1)
        yield* worker.runOnce("delete old records", recordKinds.length)
        yield* Effect.all(followed)
        const counts = yield* Effect.all(looks)
        return counts.reduce((sum, count) => sum + count, 0)
      })

      const recover = Effect.gen(function* () {
        yield* leases.recover(yield* machineNow)
        yield* scheduleHousekeeping
        return yield* worker.runOnce("resolve attempt", mostRecovered, recovery)
      })

      return Sweeper.of({ sweep, recover })
    })
  )
}
