/**
 * Port: the bank that issues boletos.
 *
 * @since 0.1.0
 */
import type { Cents } from "@parcela/core/Cents"
import type { CustomerState } from "@parcela/core/CustomerState"
import type { SvcPayId } from "@parcela/core/Identifier"
import type { LocalDate } from "@parcela/core/LocalDate"
import type { PaymentMethodBoleto } from "@parcela/core/PaymentMethods"
import type { AttemptId } from "@parcela/core/AttemptId"
import type { BoletoSlip } from "@parcela/core/BoletoTransaction"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OutsideError } from "./OutsideError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface BoletoRequest {
  readonly attemptId: AttemptId
  /** Our own number: the slip is the same however often it is registered. */
  readonly transactionId: SvcPayId
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly payer: CustomerState
  readonly terms: PaymentMethodBoleto
}

/**
 * @category ports
 * @since 0.1.0
 */
export class BoletoBank extends Context.Service<
  BoletoBank,
  {
    /** Registers a boleto; registering the same transaction again answers the same slip. */
    readonly register: (request: BoletoRequest) => Effect.Effect<BoletoSlip, OutsideError>
  }
>()("@parcela/engine/BoletoBank") {}
