/**
 * Today's date of a company. In a sandbox its clock may be ahead of this machine's.
 *
 * @since 0.1.0
 */
import { dateAt } from "@parcela/core/time/Instant"
import { make } from "@parcela/transport/sandbox/SandboxClient"
import { Clock, Effect } from "effect"
import { controls } from "./Connection.ts"

/** Today's date in Brazil. Falls back to the machine's date if the sandbox clock cannot be read. */
const companyDay = Effect.gen(function* () {
  const { clientId, ...options } = yield* controls
  const client = yield* make({ ...options, retries: 0 })
  const { business } = yield* client.clock.show(clientId)
  return dateAt(business)
}).pipe(
  Effect.orElseSucceed(() => undefined),
  Effect.flatMap((day) =>
    day === undefined ? Effect.map(Clock.currentTimeMillis, (now) => dateAt(now)) : Effect.succeed(day)
  )
)

/** Returns today's date of the company as a field, if the body does not have the field. */
export const todayWithout = (field: string) => (body: object) =>
  field in body ? Effect.succeed({}) : Effect.map(companyDay, (day) => ({ [field]: day }))
