/**
 * Jobs that were quarantined after a defect, over HTTP.
 *
 * @since 0.1.0
 */
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { DueWork, type QuarantinedWork, workKinds } from "@parcela/engine/ports/DueWork"
import { NotFound } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import type { ParkedWorkGroup } from "@parcela/transport/sandbox/DueWorkControls"
import type { Operations } from "@parcela/http/Operation"
import * as Effect from "effect/Effect"
import { present } from "./Company.ts"

const shown = ({ companyId, ...parked }: QuarantinedWork) => ({ ...parked, ...present("companyId", companyId) })

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof ParkedWorkGroup>, never, DueWork> = Effect.gen(function* () {
  const dueWork = yield* DueWork
  return {
    "parkedWork.list": () => Effect.map(dueWork.listParked(longestPage), (rows) => ({ parkedWork: rows.map(shown) })),
    "parkedWork.release": Effect.fnUntraced(function* ({ payload }) {
      const kind = workKinds.find((known) => known === payload.kind)
      const now = yield* machineNow
      const isReleased = kind !== undefined && (yield* dueWork.release(kind, payload.subject, now))
      return isReleased
        ? { released: true as const }
        : yield* new NotFound({ message: "No work of that kind and subject is parked" })
    })
  }
})
