/**
 * Due work that was parked after a defect, over HTTP.
 *
 * @since 0.1.0
 */
import { machineNow } from "@parcela/engine/commands/Times"
import { DueWork, type ParkedWork, workKinds } from "@parcela/engine/ports/DueWork"
import { storeFailures } from "@parcela/http/Refusals"
import { NotFound } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import { SandboxContract } from "@parcela/transport/sandbox/SandboxContract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { present } from "./Company.ts"

const shown = ({ companyId, ...parked }: ParkedWork) => ({ ...parked, ...present("companyId", companyId) })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  SandboxContract,
  "parkedWork",
  Effect.fn(function* (handlers) {
    const dueWork = yield* DueWork
    return handlers.handleAll({
      list: () =>
        Effect.map(storeFailures(dueWork.listParked(longestPage)), (rows) => ({ parkedWork: rows.map(shown) })),
      release: Effect.fnUntraced(function* ({ payload }) {
        const kind = workKinds.find((known) => known === payload.kind)
        const now = yield* machineNow
        const isReleased = kind !== undefined && (yield* storeFailures(dueWork.release(kind, payload.subject, now)))
        return isReleased
          ? { released: true as const }
          : yield* new NotFound({ message: "No work of that kind and subject is parked" })
      })
    })
  })
)
