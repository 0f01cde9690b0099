/**
 * When a boleto or a Pix is to be given up, as due work.
 *
 * @since 0.1.0
 */
import { expiresAt, mayExpire } from "@parcela/core/transactions/TransactionExpiry"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { NewWork } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"

/**
 * The work that gives a payment up when its time is over; none while it is not registered, while an attempt is under way
 * for it, and once it is over.
 *
 * @category constructors
 * @since 0.1.0
 */
export const expirePaymentWork = (state: TransactionState, zone: SettingsShape["zone"]): NewWork | undefined => {
  const dueAt = mayExpire(state) ? expiresAt(state, {}, { zone }) : undefined
  return dueAt === undefined
    ? undefined
    : { kind: "expire payment", companyId: state.companyId, subject: String(state.id), clock: "business", dueAt }
}
