/**
 * Port: the bank that issues boletos.
 *
 * @since 0.1.0
 */
import type { PaymentMethodBoleto } from "@parcela/core/paymentMethods/PaymentMethod"
import type { CancellationOutcome, RegistrationOutcome } from "@parcela/core/attempts/AttemptOutcome"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ProviderError } from "./ProviderError.ts"
import type { ProviderRequest, RegistrationRequest } from "./ProviderRequest.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoRequest = RegistrationRequest<PaymentMethodBoleto>

/**
 * The bank's response to a registration. A denial is final. No response is a `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type BoletoOutcome = Extract<RegistrationOutcome, { readonly _tag: "BoletoRegistered" | "FinallyDenied" }>

/**
 * @category ports
 * @since 0.1.0
 */
export class BoletoBank extends Context.Service<
  BoletoBank,
  {
    /**
     * Registers a boleto. Idempotent by transaction: every attempt returns the same boleto, until it is withdrawn.
     * After that a new boleto is registered. After a failure the request may be repeated.
     */
    readonly register: (request: BoletoRequest) => Effect.Effect<BoletoOutcome, ProviderError>
    /** Withdraws a boleto, so that it cannot be paid. Denied if the boleto is unknown or already paid. */
    readonly cancel: (request: ProviderRequest) => Effect.Effect<CancellationOutcome, ProviderError>
  }
>()("@parcela/engine/ports/BoletoBank") {}
