/**
 * Disputes at the simulated card operator. A test card may stand for a dispute a number of days after the capture, unless the
 * charge was reversed completely.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime } from "@parcela/core/time/Instant"
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingReport"
import { ChargebackReports, type DisputableCharge } from "@parcela/engine/ports/ChargebackReports"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { SimulatorStore } from "./SimulatorStore.ts"
import { behaviourOf } from "./TestCards.ts"
import * as Context from "effect/Context"

/**
 * Returns the dispute of a charge. A charge has at most one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const disputeOf = (companyId: CompanyId, tid: string): Omit<IncomingChargeback, "method"> => ({
  id: `dispute of ${tid}`,
  reference: { kind: "tid", value: tid },
  companyId
})

interface Row {
  readonly kind: string
  readonly value: number
  readonly at: number | null
  readonly scenario: string | null
  readonly isCaptured: number
}

/**
 * Returns the time of a charge's dispute. None without a dispute, and after a complete reversal.
 *
 * @category getters
 * @since 0.1.0
 */
export const disputedAt = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { companyId, tid }: DisputableCharge) {
  const rows = yield* sql<Row>`
    SELECT attempts.kind, attempts.value, business_at AS at, scenario,
      CASE WHEN outcome LIKE '{"_tag":"Captured"%' THEN 1 ELSE 0 END AS "isCaptured"
    FROM attempts LEFT JOIN cards ON cards.token = attempts.card
    WHERE attempts.tid = ${tid} AND attempts.company_id = ${companyId}`
  const charge = rows.find(({ kind }) => kind === "charge")
  const captured = rows.find(({ isCaptured, kind }) => kind !== "reverse" && Number(isCaptured) === 1)
  const behaviour = behaviourOf(charge?.scenario ?? "")
  if (captured === undefined || captured.at === null || behaviour._tag !== "Disputed") return Option.none()
  const reversed = rows.reduce((sum, { kind, value }) => (kind === "reverse" ? sum + Number(value) : sum), 0)
  if (reversed >= Number(captured.value)) return Option.none()
  return Option.some(BusinessTime.make(Number(captured.at) + Duration.toMillis(Duration.days(behaviour.days))))
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<never, never, SimulatorStore> = Layer.effect(
  ChargebackReports,
  Effect.map(SimulatorStore, (sql) => ({
    find: Effect.fn("SimulatedChargebacks.find")(
      function* (charge: DisputableCharge, now: BusinessTime) {
        const at = yield* disputedAt(sql, charge)
        return Option.map(
          Option.filter(at, (due) => due <= now),
          () => disputeOf(charge.companyId, charge.tid)
        )
      },
      Effect.mapError((cause) => new ProviderError({ provider: "card operator", cause }))
    )
  }))
)

/**
 * Receives the time of the dispute of each captured charge, so that the service requests the dispute in time. The default
 * ignores it.
 *
 * @category references
 * @since 0.1.0
 */
export const DisputeNotices = Context.Reference<{
  /**
   * Called after the commit of a capture and before its response, and again for each repeated request. If the call fails, the
   * response is lost, and the lookup that follows calls again.
   */
  readonly expect: (charge: DisputableCharge, at: BusinessTime) => Effect.Effect<void, unknown>
}>("@parcela/provider-simulator/SimulatedChargebacks", { defaultValue: () => ({ expect: () => Effect.void }) })
