import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { ScheduledWork, scheduleFollowing } from "@parcela/engine/command/ScheduledWork"
import { atOnce, DueWork, type NewWork, type WorkName } from "@parcela/engine/ports/DueWork"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { Effect, Layer } from "effect"

const work: NewWork = {
  kind: "abandon deliveries",
  subject: "1",
  companyId: CompanyId.make(5),
  ...atOnce(MachineTime.make(0))
}

const schedule = (outcome: Effect.Effect<void, StoreError>) =>
  DueWork.use((dueWork) => scheduleFollowing(dueWork, work)).pipe(
    Effect.provide(Layer.mock(DueWork, { maxAtOnce: 1, schedule: () => outcome }))
  )

describe("a job that follows from another job", () => {
  it.effect("is recorded only for the fiber that scheduled it", () =>
    Effect.gen(function* () {
      const notes: ReadonlyArray<Array<WorkName>> = [[], []]
      for (const note of notes) yield* Effect.provideService(schedule(Effect.void), ScheduledWork, note)
      yield* schedule(Effect.void)
      assert.deepStrictEqual(notes, [[work], [work]])
    })
  )

  it.effect("is not recorded if scheduling fails", () =>
    Effect.gen(function* () {
      const note: Array<WorkName> = []
      const failure = new StoreError({ reason: new Unavailable({ cause: new Error("down") }) })
      yield* Effect.flip(Effect.provideService(schedule(Effect.fail(failure)), ScheduledWork, note))
      assert.deepStrictEqual(note, [])
    })
  )
})
