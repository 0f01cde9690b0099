/**
 * Entities of the registers that the suites of the store's ports start from.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import type { PlanState } from "@parcela/core/plans/PlanState"
import { MyId } from "@parcela/core/values/Identifier"
import { Sequences } from "@parcela/engine/ports/Sequences"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import * as Effect from "effect/Effect"
import { minute } from "./StoreFixtures.ts"

/**
 * A plan that is not kept yet.
 *
 * @category new
 * @since 0.1.0
 */
export const newPlan = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<PlanState> = {}
): Effect.fn.Return<PlanState, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("plan")
  return {
    id,
    companyId,
    myId: MyId.make(`plan ${id}`),
    name: "Box",
    periodicity: "monthly",
    quantity: 12,
    prices: [{ payment: "pix", value: Cents.make(12_990) }],
    status: "active",
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})
