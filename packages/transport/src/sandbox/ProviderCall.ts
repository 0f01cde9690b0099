/**
 * A request to a simulated provider: its kind, and whom it is about.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { described } from "@parcela/core/values/Described"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import { ClientId } from "../contract/CompanyPath.ts"

/**
 * A request to a provider. Card vault: tokenize. Card operator: charge, capture, reverse. Boleto bank: register. Pix
 * provider: open. All of them: lookup, cancel.
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
 * Whose requests and which: what is left out does not matter.
 *
 * @category schemas
 * @since 0.1.0
 */
export const subject = {
  clientId: described(Schema.optionalKey(ClientId), "Of this company; of every company when absent."),
  attemptId: described(Schema.optionalKey(AttemptId), "Of this attempt, as the ledger shows it."),
  transactionId: described(Schema.optionalKey(SvcPayId), "Of this transaction, by the service's identifier.")
}
