/**
 * Disputes of charges at the simulated card operator, as the service asks for them: of a test card that stands for one, so
 * many days after its capture, while something is left of it.
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
 * The dispute of a charge; a charge has one.
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
 * When the dispute of a charge is reported; none of what is not disputed, or given back.
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
 * @category references
 * @since 0.1.0
 */
export const DisputeNotices = Context.Reference<{
  /**
   * Called before the response to what captured a charge, after its commit, and again with each repeat. Where it fails the
   * response is lost, and the notice comes with the look-up that follows.
   */
  readonly expect: (charge: DisputableCharge, at: BusinessTime) => Effect.Effect<void, unknown>
}>("@parcela/provider-simulator/SimulatedChargebacks", { defaultValue: () => ({ expect: () => Effect.void }) })
