/**
 * A boleto or a Pix that an edit withdrew is registered anew in the same request, so that its response has the new slip or
 * code.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { isToBeRegisteredAnew, underWayOf } from "@parcela/core/transactions/TransactionState"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import type { Commands } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { Sequences } from "../ports/Sequences.ts"
import { afterCommit, type StoreError } from "../ports/StoreError.ts"
import { logCause } from "../workers/StoreOutage.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import * as SendPayment from "./SendPayment.ts"
import * as ShowPayment from "./ShowPayment.ts"

/**
 * The outcome of an edit, once what it withdrew is registered anew. Where that does not come about in time, the payment
 * is shown as it stands: due work registers it.
 *
 * @category models
 * @since 0.1.0
 */
export type RegisterAnew = (
  companyId: CompanyId,
  edited: CommandOutcome<PaymentContext>,
  key: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<ShowPayment.ShowPayment["resume"]> | KeyReused | StoreError
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<RegisterAnew, never, Commands | PaymentAttempts | Secrets | Sequences> = Effect.gen(
  function* () {
    const sendDue = yield* SendPayment.make
    const { resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* (companyId, edited, key) {
      if (edited._tag === "Replayed") return edited
      const { transaction } = edited.value
      const { id } = transaction
      if (isToBeRegisteredAnew(transaction)) {
        yield* sendDue(companyId, id).pipe(
          Effect.catch((error) => logCause(`Payment ${id} is registered again later`, Cause.fail(error)))
        )
      } else if (underWayOf(transaction) === undefined) return edited
      return yield* afterCommit(resume(companyId, id, key))
    })
  }
)
