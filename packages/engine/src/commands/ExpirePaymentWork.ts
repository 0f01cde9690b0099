/**
 * When a boleto or a Pix is to be given up, as due work.
 *
 * @since 0.1.0
 */
import { expiresAt } from "@parcela/core/transactions/TransactionExpiry"
import { documentKeyOf, type TransactionState, underWayOf } from "@parcela/core/transactions/TransactionState"
import { nextStatuses } from "@parcela/core/transactions/TransactionStatus"
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
  const isOpen = nextStatuses(state.status, "expire").length > 0 && documentKeyOf(state) !== undefined
  const dueAt = isOpen && underWayOf(state) === undefined ? expiresAt(state, {}, { zone }) : undefined
  return dueAt === undefined
    ? undefined
    : { kind: "expire payment", companyId: state.companyId, subject: String(state.id), clock: "business", dueAt }
}
