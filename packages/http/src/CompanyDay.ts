/**
 * The current date of a company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { businessTimeOf } from "@parcela/core/time/BusinessTime"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/WallClock"
import { machineNow } from "@parcela/engine/ports/Times"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Settings } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Returns today's date on the company's clock, or on the machine's clock if no company is given.
 *
 * @category models
 * @since 0.1.0
 */
export type CompanyDay = (companyId: CompanyId | undefined) => Effect.Effect<LocalDate, StoreError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<CompanyDay, never, CompanyClocks> = Effect.gen(function* () {
  const clocks = yield* CompanyClocks
  const { zone } = yield* Settings
  return Effect.fnUntraced(function* (companyId) {
    const clock = companyId === undefined ? Option.none() : yield* clocks.find(companyId)
    const machine = yield* machineNow
    return dateAt(Option.isSome(clock) ? businessTimeOf(machine, clock.value.offset) : machine, zone)
  })
})
