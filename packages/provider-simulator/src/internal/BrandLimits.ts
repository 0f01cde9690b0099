/**
 * The brands' limits of tries, as the operator counts them: by the charges of one card that it received.
 *
 * @since 0.1.0
 */
import { mayRetry } from "@parcela/core/attempts/CardRetryLimits"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { Charge } from "@parcela/engine/ports/CardOperator"
import * as Schema from "effect/Schema"
import * as Work from "./Work.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ at: BusinessTime, value: Cents, outcome: Schema.String }))
)

/** Why a charge is beyond its brand's limits, which costs a fee; undefined when it is within them. */
export function* passedBy(
  { at, card, value }: Charge,
  brand: CardBrandId,
  code: string
): Work.Work<string | undefined> {
  const rows = yield* Work.read(
    `SELECT business_at AS at, value, outcome FROM attempts
     WHERE card = ? AND is_counted = 1 AND kind = 'charge' AND business_at IS NOT NULL`,
    card
  )
  const tries = decode(rows)
  const attempts = tries.map(({ outcome, ...each }) => {
    const approved = !outcome.startsWith('{"_tag":"Denied"')
    return { ...each, approved, code: approved ? undefined : code }
  })
  // The first try is within every limit.
  const allowed = tries.length === 0 ? undefined : mayRetry({ brand, code, attempts, now: at, value })
  return allowed?._tag === "NotBefore" ? `${allowed.reason}: this one costs a fee` : undefined
}
