/**
 * Who is paid by the charges of the simulated Pix provider.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Who is paid, as a code names it.
 *
 * @category models
 * @since 0.1.0
 */
export interface PixMerchant {
  /** At most 25 characters once accents are taken off. */
  readonly merchantName: string
  /** At most 15 characters once accents are taken off. */
  readonly merchantCity: string
}

/**
 * Who is paid, and where charges lie.
 *
 * @category options
 * @since 0.1.0
 */
export interface PixReceiver extends PixMerchant {
  /** Where charges lie: a host, with a port if need be, of at most 38 characters and without `https://`. */
  readonly host: string
}

/**
 * The merchant of each company: that of the receiver where it is undefined.
 *
 * @category references
 * @since 0.1.0
 */
export const PixMerchants = Context.Reference<
  (companyId: CompanyId) => Effect.Effect<PixMerchant | undefined, StoreError>
>("@parcela/provider-simulator/PixMerchants", { defaultValue: () => () => Effect.succeed(undefined) })

/**
 * A receiver whose charges lie at a host that can never exist (RFC 2606).
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultReceiver: PixReceiver = {
  host: "pix.parcela.example",
  merchantName: "Parcela Sandbox",
  merchantCity: "Sao Paulo"
}
