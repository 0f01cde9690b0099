/**
 * The day that it is for a company: in a sandbox its clock may be ahead of this machine's.
 *
 * @since 0.1.0
 */
import { dateAt } from "@parcela/core/time/WallClock"
import { make } from "@parcela/transport/sandbox/SandboxClient"
import { Clock, Effect } from "effect"
import { controls } from "./Connection.ts"

/** In Brazil. Of a service that is no sandbox, or whose controls are closed to us, the machine's day. */
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

/** The company's day as the field, where a body does not have it. */
export const todayWithout = (field: string) => (body: object) =>
  field in body ? Effect.succeed({}) : Effect.map(companyDay, (day) => ({ [field]: day }))
