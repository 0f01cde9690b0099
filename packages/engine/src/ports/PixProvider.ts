/**
 * Port: the provider (PSP) that opens Pix charges.
 *
 * @since 0.1.0
 */
import type { PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethods"
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
 * The provider's response to opening a charge. A denial is final; a provider that does not respond is a
 * `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type PixOutcome = Extract<RegistrationOutcome, { readonly _tag: "PixOpened" | "DeniedForGood" }>

/**
 * @category ports
 * @since 0.1.0
 */
export class PixProvider extends Context.Service<
  PixProvider,
  {
    /**
     * Opens a charge; a transaction that is opened again, under any attempt, has the same one, until that was removed: then it
     * gets another one. After a failure ask again.
     */
    readonly open: (request: PixRequest) => Effect.Effect<PixOutcome, ProviderError>
    /** Removes a charge, so that it cannot be paid any more; denied when the provider has none or it was paid. */
    readonly cancel: (request: ProviderRequest) => Effect.Effect<CancellationOutcome, ProviderError>
  }
>()("@parcela/engine/ports/PixProvider") {}
