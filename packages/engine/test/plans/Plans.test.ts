import { assert, describe, it } from "@effect/vitest"
import { EditPlan } from "@parcela/core/plans/Plan"
import { byMyId, bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { Journal } from "@parcela/engine/ports/Journal"
import { PlanManagement } from "@parcela/engine/plans/Plans"
import { Effect, Schema } from "effect"
import * as Rows from "@parcela/test-world/Rows"
import * as World from "@parcela/test-world/World"

const decodeEdit = Schema.decodeUnknownSync(EditPlan)
const all = { startAt: 0, limit: 100, order: [] } as const

const edit = (...[company, ref, changes]: readonly [Parameters<typeof World.plan>[0], string, object]) =>
  PlanManagement.use((plans) => Effect.map(plans.edit(company, World.ref(ref), decodeEdit(changes)), World.valueOf))

describe("plans", () => {
  it.effect("lists the current plans of the company only", () =>
    Effect.gen(function* () {
      const plans = yield* PlanManagement
      const company = yield* World.company()
      const other = yield* World.company()
      const box = yield* World.plan(company, { myId: "box" })
      yield* World.passTime("1 minute")
      const edited = yield* edit(company, "box", { name: "Big box" })
      assert.deepStrictEqual(edited, { ...box, name: "Big box", updatedAt: box.updatedAt + 60_000 } as typeof box)
      const elsewhere = yield* World.plan(other, { myId: "box" })
      assert.deepStrictEqual(yield* plans.list(company, {}, all), [edited])
      assert.deepStrictEqual(yield* plans.list(other, {}, all), [elsewhere])
    }).pipe(World.inWorld())
  )

  it.effect("does not find a plan of another company by either identifier", () =>
    Effect.gen(function* () {
      const plans = yield* PlanManagement
      const { id } = yield* World.plan(yield* World.company(), { myId: "box" })
      const other = yield* World.company()
      for (const ref of [bySvcPayId(id), byMyId(MyId.make("box"))]) {
        const error = yield* Effect.flip(plans.edit(other, ref, { status: "inactive" }))
        assert.strictEqual(World.refusalOf(error), "PlanNotFound")
      }
    }).pipe(World.inWorld())
  )

  it.effect("refuses a myId that another plan has, and accepts plans without one", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.plan(company, { myId: "box" })
      yield* World.plan(company, { myId: undefined })
      yield* World.plan(company, { myId: undefined })
      yield* World.plan(company, { myId: "crate" })
      const twice = yield* Effect.flip(World.plan(company, { myId: "box" }))
      const renamed = yield* Effect.flip(edit(company, "crate", { myId: "box" }))
      assert.deepStrictEqual([twice, renamed].map(World.refusalOf), ["MyIdTaken", "MyIdTaken"])
      assert.strictEqual(yield* Rows.count("plans"), 4)
    }).pipe(World.inWorld())
  )

  it.effect("writes a journal entry for each change, and none if nothing changed", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { id } = yield* World.plan(company, { myId: "box" })
      yield* edit(company, "box", { quantity: 6 })
      yield* edit(company, "box", { quantity: 6 })
      yield* edit(company, "box", { status: "inactive" })
      yield* edit(company, "box", { status: "inactive" })
      const entries = yield* Journal.use((journal) => journal.latest(company, 10))
      assert.deepStrictEqual(
        entries.map(({ after, before, events, subject }) => [
          subject,
          events.map(({ _tag }) => _tag),
          before,
          after?.["status"]
        ]),
        [
          [{ kind: "plan", id: String(id) }, ["PlanCreated"], undefined, "active"],
          [{ kind: "plan", id: String(id) }, ["PlanUpdated"], { quantity: 12 }, undefined],
          [{ kind: "plan", id: String(id) }, ["PlanDeactivated"], { status: "active" }, "inactive"]
        ]
      )
    }).pipe(World.inWorld())
  )
})
