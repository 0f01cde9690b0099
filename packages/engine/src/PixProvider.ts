/**
 * Port: the provider (PSP) that opens Pix charges.
 *
 * @since 0.1.0
 */
import type { Cents } from "@parcela/core/Cents"
import type { CustomerState } from "@parcela/core/CustomerState"
import type { SvcPayId } from "@parcela/core/Identifier"
import type { LocalDate } from "@parcela/core/LocalDate"
import type { PaymentMethodPix } from "@parcela/core/PaymentMethods"
import type { AttemptId } from "@parcela/core/AttemptId"
import type { PixCharge } from "@parcela/core/PixTransaction"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OutsideError } from "./OutsideError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PixRequest {
  readonly attemptId: AttemptId
  readonly transactionId: SvcPayId
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly payer: CustomerState
  readonly terms: PaymentMethodPix
}

/**
 * @category ports
 * @since 0.1.0
 */
export class PixProvider extends Context.Service<
  PixProvider,
  {
    /** Opens a charge; opening the same transaction again answers the same charge. */
    readonly open: (request: PixRequest) => Effect.Effect<PixCharge, OutsideError>
  }
>()("@parcela/engine/PixProvider") {}
