/**
 * A company's clock, and quarantined jobs, over HTTP.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, dateAt } from "@parcela/core/time/Instant"
import { type WaitingWork, DueWork, type QuarantinedWork, workKinds } from "@parcela/engine/ports/DueWork"
import type { ChangeCount } from "@parcela/engine/ports/Journal"
import { Settings } from "@parcela/engine/Settings"
import { type Advance, ClockManagement, type ClockNotAdvanced } from "@parcela/engine/clock/Clocks"
import { BadRequest, Conflict, NotFound } from "@parcela/transport/ApiError"
import type * as ClockControls from "@parcela/transport/sandbox/ClockControls"
import type { ClockGroup } from "@parcela/transport/sandbox/ClockControls"
import type { Operations } from "@parcela/http/Operation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SandboxCompanies, companyIdOf, present } from "../SandboxCompanies.ts"
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import type { QuarantinedWorkGroup } from "@parcela/transport/sandbox/DueWorkControls"

const waiting = ({ problem, ...work }: WaitingWork) => ({ ...work, ...present("problem", problem) })

const changed = ({ count, event, to }: ChangeCount) => ({ event, ...present("to", to), count })

/** The contract requires exactly one of `bySeconds` and `to`. */
const wanted = ({ bySeconds = 0, name, stopWhenNothingIsDue, to }: typeof ClockControls.Advance.Type): Advance =>
  to === undefined
    ? { by: Duration.seconds(bySeconds), name, stopWhenNothingIsDue }
    : { to: BusinessTime.make(to), name, stopWhenNothingIsDue }

const refusal = ({ message, reason }: ClockNotAdvanced) => {
  switch (reason) {
    case "CompanyNotFound":
      return new NotFound({ message })
    case "Backwards":
    case "TooFar":
      return new BadRequest({ message })
    case "AlreadyRunning":
    case "Interrupted":
      return new Conflict({ message })
  }
}

/**
 * @category operations
 * @since 0.1.0
 */
export const clock: Effect.Effect<
  Operations<typeof ClockGroup>,
  never,
  ClockManagement | SandboxCompanies
> = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const { zone } = yield* Settings
  const companies = yield* SandboxCompanies
  const lastAdvance = Effect.fnUntraced(function* (companyId: CompanyId) {
    const found = yield* clocks.lastAdvance(companyId)
    if (Option.isNone(found)) return yield* new NotFound({ message: "The company's clock was never advanced" })
    const { changes, eventsAfter, from, steps, isRunning, name, reached, target } = found.value
    return {
      ...present("name", name),
      from,
      to: target,
      reached,
      isRunning,
      steps,
      changes: changes.map(changed),
      ...present("eventsAfter", eventsAfter)
    }
  })
  return {
    "clock.show": Effect.fnUntraced(function* (request) {
      const shown = yield* clocks.show(yield* companyIdOf(companies, request))
      if (Option.isNone(shown)) return yield* new NotFound({ message: "There is no such company" })
      const { advancingTo, business, machine, nextDue } = shown.value
      return {
        machine,
        business,
        today: dateAt(business, zone),
        ...present("advancingTo", advancingTo),
        ...present("nextDue", nextDue)
      }
    }),
    "clock.lastAdvance": Effect.fnUntraced(function* (request) {
      return yield* lastAdvance(yield* companyIdOf(companies, request))
    }),
    "clock.cancelAdvance": Effect.fnUntraced(function* (request) {
      const company = yield* companyIdOf(companies, request)
      const isCancelled = yield* clocks
        .cancel(company)
        .pipe(Effect.catchTag("ClockNotAdvanced", ({ message }) => Effect.fail(new NotFound({ message }))))
      if (!isCancelled) return yield* new NotFound({ message: "No advance of the company's clock is under way" })
      return yield* lastAdvance(company)
    }),
    "clock.advance": Effect.fnUntraced(function* (request) {
      const company = yield* companyIdOf(companies, request)
      const { changes, eventsAfter, waitingWork, ...report } = yield* clocks
        .advance(company, wanted(request.payload))
        .pipe(Effect.catchTag("ClockNotAdvanced", (error) => Effect.fail(refusal(error))))
      return {
        ...report,
        changes: changes.map(changed),
        ...present("eventsAfter", eventsAfter),
        waitingWork: waitingWork.map(waiting)
      }
    })
  }
})

const shown = ({ companyId, ...quarantined }: QuarantinedWork) => ({
  ...quarantined,
  ...present("companyId", companyId)
})

/**
 * @category operations
 * @since 0.1.0
 */
export const dueWork: Effect.Effect<Operations<typeof QuarantinedWorkGroup>, never, DueWork> = Effect.gen(function* () {
  const dueWork = yield* DueWork
  return {
    "quarantinedWork.list": () =>
      Effect.map(dueWork.listQuarantined(maxPageSize), (rows) => ({ quarantinedWork: rows.map(shown) })),
    "quarantinedWork.release": Effect.fnUntraced(function* ({ payload }) {
      const kind = workKinds.find((known) => known === payload.kind)
      const now = yield* machineNow
      const isReleased = kind !== undefined && (yield* dueWork.release(kind, payload.subject, now))
      return isReleased
        ? { released: true as const }
        : yield* new NotFound({ message: "No work of that kind and subject is quarantined" })
    })
  }
})
