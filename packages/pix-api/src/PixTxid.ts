/**
 * The txid of a transaction: the same for its every attempt, so that whatever is repeated is one charge.
 *
 * @since 0.1.0
 */
import { DynamicTxid } from "@parcela/core/pix/PixTxid"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { PixAccount } from "./PixAccount.ts"

/** The shortest that API Pix takes. */
const shortest = 26

/** `svcPayId` has at most 11 digits (`int 11`). */
const digits = 11

/**
 * The account's prefix and the transaction's number, with zeros between them up to 26 characters.
 *
 * @category conversions
 * @since 0.1.0
 */
export const txidOf = ({ txidPrefix }: Pick<PixAccount, "txidPrefix">, transactionId: SvcPayId): DynamicTxid =>
  DynamicTxid.make(txidPrefix + String(transactionId).padStart(Math.max(digits, shortest - txidPrefix.length), "0"))
