/**
 * Port: the bank that issues boletos.
 *
 * @since 0.1.0
 */
import type { PaymentMethodBoleto } from "@parcela/core/paymentMethods/PaymentMethods"
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
 * The bank's response to a registration. A denial is final; a bank that does not respond is a `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type BoletoOutcome = Extract<RegistrationOutcome, { readonly _tag: "BoletoRegistered" | "DeniedForGood" }>

/**
 * @category ports
 * @since 0.1.0
 */
export class BoletoBank extends Context.Service<
  BoletoBank,
  {
    /**
     * Registers a boleto. The transaction is our own number: registered again, under any attempt, it has the same slip, until
     * that was taken back: then it gets another one. After a failure ask again.
     */
    readonly register: (request: BoletoRequest) => Effect.Effect<BoletoOutcome, ProviderError>
    /** Takes a boleto back, so that it cannot be paid any more; denied when the bank has none or it was paid. */
    readonly cancel: (request: ProviderRequest) => Effect.Effect<CancellationOutcome, ProviderError>
  }
>()("@parcela/engine/ports/BoletoBank") {}
