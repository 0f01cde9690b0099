/**
 * Port: disputes of a card operator that does not send reports itself. The default has no disputes.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingReport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ProviderError } from "./ProviderError.ts"

/**
 * A charge, identified by the operator's `tid`.
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
  /** Returns the dispute of a charge at a time of the company's clock. The same dispute may be returned again. */
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
