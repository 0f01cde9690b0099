/**
 * Future money of a card payment, one release per instalment (scope `releases.read`). Source: public use: the names are
 * those of an anticipation's `Releases`. Inferred: limits, optional fields, and that `expectedDate` is a date.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "./Cents.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { int } from "../values/Text.ts"

/**
 * A release, in cents: `grossValue` before fees, `netValue` after fees. The `..Antecipation` fields (the deployment's
 * spelling) give the cost of receiving the money `daysAntecipation` days earlier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Release = Schema.Struct({
  svcPayId: SvcPayId,
  transactionSvcPayId: SvcPayId,
  createdAt: Schema.optionalKey(LocalDateTime),
  installment: int(11),
  netValue: Cents,
  grossValue: Cents,
  expectedDate: LocalDate,
  daysAntecipation: Schema.optionalKey(int(11)),
  netValueAfterAntecipation: Schema.optionalKey(Cents),
  taxValueAntecipation: Schema.optionalKey(Cents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Release = typeof Release.Type
