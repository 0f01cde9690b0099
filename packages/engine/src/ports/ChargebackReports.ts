/**
 * Port: a card operator that is asked whether a charge is disputed, where it does not report that by itself. Without one
 * nothing is asked for.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingChargeback"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ProviderError } from "./ProviderError.ts"

/**
 * A charge as its operator knows it.
 *
 * @category models
 * @since 0.1.0
 */
export interface DisputableCharge {
  readonly companyId: CompanyId
  readonly tid: string
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ChargebackReportsShape {
  /** The dispute of a charge that there is at that time of its company's clock. The same one again is no fault. */
  readonly find: (
    charge: DisputableCharge,
    now: BusinessTime
  ) => Effect.Effect<Option.Option<Omit<IncomingChargeback, "method">>, ProviderError>
}

/**
 * @category references
 * @since 0.1.0
 */
export const ChargebackReports = Context.Reference<ChargebackReportsShape>("@parcela/engine/ports/ChargebackReports", {
  defaultValue: () => ({ find: () => Effect.succeed(Option.none()) })
})
