/**
 * The line of log for a failed delivery, for the operator of the sender.
 *
 * @since 0.1.0
 */
import { maskedUrl } from "@parcela/core/webhooks/EditWebhooks"
import * as Duration from "effect/Duration"
import type { Delivery, DeliveryResult, DeliveryTry } from "../ports/Outbox.ts"

/** As much of an address as a line has room for. */
const longestAddress = 120

const shown = (url: string): string => {
  const address = maskedUrl(url)
  return address.length <= longestAddress ? address : `${address.slice(0, longestAddress - 1)}…`
}

const unauthenticated = 401

/**
 * The line for a try that failed: which delivery, where it went, why it failed and when it is tried again.
 *
 * **Details**
 *
 * The next try may be later than the line says: the whole endpoint is left alone for a while after some failures.
 *
 * @category formatting
 * @since 0.1.0
 */
export const failedDelivery = (
  { event, transactionId, webhookId }: Delivery,
  url: string,
  result: Exclude<DeliveryResult, { readonly _tag: "Delivered" }>,
  { duration, startedAt, status }: DeliveryTry
): string => {
  const advice =
    status === unauthenticated ? " (check the receiver's PARCELA_WEBHOOK_SECRET and PARCELA_CONFIRM_HASH)" : ""
  const next =
    result._tag === "GivenUp"
      ? "it is given up"
      : `next try in ${Duration.format(Duration.millis(result.at - startedAt - duration))} at the earliest`
  return `Delivery ${webhookId} (${event}, transaction ${transactionId}) to ${shown(url)} failed: ${result.problem}${advice}; ${next}`
}
