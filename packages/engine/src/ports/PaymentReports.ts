/**
 * Port: providers that are asked for the payments that came in, where they do not report them by themselves. Without one
 * nothing is asked for.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingPayment"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ProviderError } from "./ProviderError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentReportsShape {
  /** Payments of a company that are to be reported at that time of its clock and were not acknowledged, oldest first. */
  readonly list: (
    companyId: CompanyId,
    now: BusinessTime,
    limit: number
  ) => Effect.Effect<ReadonlyArray<IncomingPayment>, ProviderError>
  /**
   * Ends the reports of a payment. One that was acknowledged before is no fault. Fails where the company was restored `since`
   * it had been as often as that: what was taken in then is not known to it any more.
   */
  readonly acknowledge: (
    payment: IncomingPayment,
    since: { readonly restores: number }
  ) => Effect.Effect<void, ProviderError>
  /** When a payment of the company that is not acknowledged is to be reported first. */
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
