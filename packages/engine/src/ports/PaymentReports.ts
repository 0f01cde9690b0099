/**
 * Port: payments of a provider that does not send reports itself. The default has no payments.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingReport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ProviderError } from "./ProviderError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentReportsShape {
  /** Returns the unacknowledged payments of a company at a time of its clock, oldest first. */
  readonly list: (
    companyId: CompanyId,
    now: BusinessTime,
    limit: number
  ) => Effect.Effect<ReadonlyArray<IncomingPayment>, ProviderError>
  /**
   * Acknowledges a payment, so that it is not reported again. Acknowledging twice is allowed. Fails if the company's
   * number of restores differs from `since.restores`.
   */
  readonly acknowledge: (
    payment: IncomingPayment,
    since: { readonly restores: number }
  ) => Effect.Effect<void, ProviderError>
  /** Returns the time of the company's next unacknowledged payment. */
  readonly next: (companyId: CompanyId) => Effect.Effect<Option.Option<BusinessTime>, ProviderError>
}

/**
 * @category references
 * @since 0.1.0
 */
export const PaymentReports = Context.Reference<PaymentReportsShape>("@parcela/engine/ports/PaymentReports", {
  defaultValue: () => ({
    list: () => Effect.succeed([]),
    acknowledge: () => Effect.void,
    next: () => Effect.succeed(Option.none())
  })
})
