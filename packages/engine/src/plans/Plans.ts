/**
 * Use cases: list, create and edit plans. A plan is deactivated by an edit of its status.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { PlanList } from "@parcela/core/lists/EntityLists"
import { createPlan, editPlan, type PlanState } from "@parcela/core/plans/PlanDecider"
import type { CreatePlan, EditPlan } from "@parcela/core/plans/Plan"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Commands, neverMissing } from "../command/Command.ts"
import { type KeyUse, subjectOf } from "../command/IdempotencyKey.ts"
import type { EntityContext, NewEntityContext } from "../command/Loads.ts"
import { Plans } from "../ports/Plans.ts"
import { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { creating, editing, writeEntity, type WriteResult } from "../command/EntityWriting.ts"
import { noPlan } from "../command/Missing.ts"
import * as Spans from "../Spans.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class PlanManagement extends Context.Service<
  PlanManagement,
  {
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<PlanList>,
      page: PageOf<PlanList>
    ) => Effect.Effect<ReadonlyArray<PlanState>, StoreError>
    readonly create: (
      companyId: CompanyId,
      command: CreatePlan,
      key?: KeyUse<PlanState>
    ) => WriteResult<PlanState, typeof createPlan>
    readonly edit: (
      companyId: CompanyId,
      ref: EntityRef,
      command: EditPlan,
      key?: KeyUse<PlanState>
    ) => WriteResult<PlanState, typeof editPlan | typeof noPlan>
  }
>()("@parcela/engine/plans/PlanManagement") {
  static readonly layer: Layer.Layer<PlanManagement, never, Commands | Plans | Sequences> = Layer.effect(
    PlanManagement,
    Effect.gen(function* () {
      const commands = yield* Commands
      const plans = yield* Plans
      const sequences = yield* Sequences
      return PlanManagement.of({
        list: plans.list,
        create: Spans.fn("PlanManagement.create")(function* (companyId, command, key) {
          const id = yield* sequences.next("plan")
          const decide = creating(entity, ({ sameMyId }: NewEntityContext<PlanState>, now) =>
            createPlan(command, { sameMyId }, { companyId, id, now })
          )
          const args = { companyId, id, myId: command.myId }
          return yield* writeEntity(commands, { load: "newPlan", args, decide, missing: neverMissing }, key)
        }),
        edit: Spans.fn("PlanManagement.edit")(function* (companyId, ref, command, key) {
          const decide = editing(entity, ({ entity: plan, sameMyId }: EntityContext<PlanState>, now) =>
            editPlan(plan, command, { now, sameMyId })
          )
          const args = { companyId, ref, myId: command.myId }
          const missing = () => noPlan(ref)
          return yield* writeEntity(commands, { load: "plan", args, decide, missing }, key)
        })
      })
    })
  )
}

const entity = {
  change: (next: PlanState, before?: PlanState) => ({ table: "plans", before, next }) as const,
  subject: ({ id }: PlanState) => subjectOf("plan", id),
  shown: (plan: PlanState) => plan
}
