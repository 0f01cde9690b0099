/**
 * Port: the provider (PSP) of Pix charges.
 *
 * @since 0.1.0
 */
import type { PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethod"
import type { CancellationOutcome, RegistrationOutcome } from "@parcela/core/attempts/AttemptOutcome"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ProviderError } from "./ProviderError.ts"
import type { ProviderRequest, RegistrationRequest } from "./ProviderRequest.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type PixRequest = RegistrationRequest<PaymentMethodPix>

/**
 * The provider's response to a new Pix charge. A denial is final. No response is a `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type PixOutcome = Extract<RegistrationOutcome, { readonly _tag: "PixOpened" | "FinallyDenied" }>

/**
 * @category ports
 * @since 0.1.0
 */
export class PixProvider extends Context.Service<
  PixProvider,
  {
    /**
     * Opens a Pix charge. Idempotent by transaction: every attempt returns the same charge, until it is withdrawn.
     * After that a new charge is opened. After a failure the request may be repeated.
     */
    readonly open: (request: PixRequest) => Effect.Effect<PixOutcome, ProviderError>
    /** Withdraws a Pix charge, so that it cannot be paid. Denied if the charge is unknown or already paid. */
    readonly cancel: (request: ProviderRequest) => Effect.Effect<CancellationOutcome, ProviderError>
  }
>()("@parcela/engine/ports/PixProvider") {}
