/**
 * A provider's denial for good that no status shows.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"

/**
 * The refusal that the denial of a reversal or a cancellation comes to: the payment stands as it stood, so that its
 * status would read as if nothing had been asked. Undefined for every other attempt.
 *
 * @category getters
 * @since 0.1.0
 */
export const finalDenialOf = (attempt: Attempt | undefined): RefusedBy<"DeniedByProvider"> | undefined => {
  if (attempt?.result?.outcome !== "denied" || (attempt.kind !== "reverse" && attempt.kind !== "cancel")) {
    return undefined
  }
  const { code = "", message = "" } = attempt.result
  return refuse({ _tag: "DeniedByProvider", provider: attempt.provider, code, message })
}
