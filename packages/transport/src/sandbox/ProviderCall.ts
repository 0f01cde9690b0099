/**
 * A request to a simulated provider: its kind and its subject.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { described } from "@parcela/core/values/Fields"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import { ClientId } from "../contract/CompanyPath.ts"

/**
 * The kinds of provider requests. Card vault: tokenize. Card operator: charge, capture, reverse. Boleto bank: register.
 * Pix provider: open. All of them: lookup, cancel.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ProviderCall = Schema.Literals([
  "tokenize",
  "charge",
  "capture",
  "reverse",
  "lookup",
  "register",
  "open",
  "cancel"
])

/**
 * The subject of a request. Omitted fields match every request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const subject = {
  clientId: described(Schema.optionalKey(ClientId), "Of this company; of every company when absent."),
  attemptId: described(Schema.optionalKey(AttemptId), "Of this attempt, as the ledger shows it."),
  transactionId: described(Schema.optionalKey(SvcPayId), "Of this transaction, by the service's identifier.")
}
