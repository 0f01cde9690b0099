/**
 * The txid of a transaction: the same for every attempt at one registration, so that whatever is repeated is one charge.
 *
 * @since 0.1.0
 */
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import type { PixAccount } from "./PixAccount.ts"

/** The shortest that API Pix takes. */
const shortest = 26

/** `svcPayId` has at most 11 digits (`int 11`). */
const digits = 11

/** A registration of one digit or letter more than is likely, and its mark. */
const anew = 3

/**
 * The account's prefix and the transaction's number, with zeros between them up to 26 characters. A txid is never used
 * twice, so that of a later registration has `R`, its number and the transaction's, both in letters and digits.
 *
 * @category conversions
 * @since 0.1.0
 */
export const txidOf = (
  { txidPrefix }: Pick<PixAccount, "txidPrefix">,
  { registration = 1, transactionId }: Pick<ProviderRequest, "registration" | "transactionId">
): DynamicTxid => {
  const room = Math.max(digits, shortest - txidPrefix.length)
  const number =
    registration === 1
      ? String(transactionId).padStart(room, "0")
      : `R${registration.toString(36).padStart(anew - 1, "0")}${transactionId.toString(36).padStart(room - anew, "0")}`
  return DynamicTxid.make(txidPrefix + number)
}
