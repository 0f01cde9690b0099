/**
 * When a transaction is to be sent, as due work.
 *
 * @since 0.1.0
 */
import { transactionDue } from "@parcela/core/transactions/TransactionDue"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { businessStartOf } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { atOnce, type NewWork } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"

/**
 * The work that sends a transaction when it is due; none when it is not to be sent.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sendPaymentWork = (
  state: TransactionState,
  now: MachineTime,
  zone: SettingsShape["zone"]
): NewWork | undefined => {
  const due = transactionDue(state)
  if (due._tag === "Never" || due._tag === "Paused") return undefined
  const work = { kind: "send payment", companyId: state.companyId, subject: String(state.id) } as const
  return due._tag === "AtOnce"
    ? { ...work, ...atOnce(now) }
    : { ...work, clock: "business", dueAt: businessStartOf(due.day, zone) }
}
