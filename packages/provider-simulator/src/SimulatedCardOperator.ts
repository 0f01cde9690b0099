/**
 * A card operator with a vault, in a store of its own.
 *
 * What becomes of a charge is decided by the card's number, see `TestCards`. Of a card the vault stores the scenario
 * that its number stands for, brand, mask and expiry, and of a test card the name that the table of test cards gives it:
 * no number, no CVV, no holder, and nothing computed from them. See `internal/Vault` for how it knows a card again.
 *
 * @since 0.1.0
 */
import type { FinalDenial, ReversalOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { CardOperator, type Reversal } from "@parcela/engine/ports/CardOperator"
import type { DisputableCharge } from "@parcela/engine/ports/ChargebackReports"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DisputeNotices } from "./DisputeNotices.ts"
import * as Attempts from "./internal/Attempts.ts"
import * as Charges from "./internal/Charges.ts"
import * as Requests from "./internal/Requests.ts"
import * as Vault from "./internal/Vault.ts"
import { disputedAt } from "./SimulatedChargebacks.ts"
import { SimulatorStore } from "./SimulatorStore.ts"

const ReversalRecord = Schema.fromJsonString(
  Schema.Union([Schema.TaggedStruct("Reversed", {}), Attempts.DeniedForGood])
)

const notLeft: FinalDenial = {
  _tag: "DeniedForGood",
  code: "notLeft",
  message: "More was asked back than is left of the charge"
}

/** What is given back: never more than was captured, or than is held where nothing was captured. */
const reversing = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const attempts = yield* Attempts.make(ReversalRecord)

  const decide = Effect.fnUntraced(function* ({ at, tid, value }: Reversal) {
    // The update locks the charge's row: two reversals of it never both take the rest.
    const charges = yield* sql<{ kind: string; value: number }>`
      UPDATE attempts SET asked_at = ${at} WHERE tid = ${tid} AND kind IN ('charge', 'capture') RETURNING kind, value`
    // A capture takes what its charge held.
    const captures = charges.filter(({ kind }) => kind === "capture")
    const reversals = yield* sql<{ value: number }>`SELECT value FROM attempts WHERE tid = ${tid} AND kind = 'reverse'`
    const sum = (rows: ReadonlyArray<{ readonly value: number }>) => rows.reduce((all, row) => all + row.value, 0)
    const fresh: Attempts.Fresh<ReversalOutcome> =
      value > sum(captures.length > 0 ? captures : charges) - sum(reversals)
        ? { outcome: notLeft, effect: "none" }
        : { outcome: { _tag: "Reversed" }, effect: "reversed", tid }
    return fresh
  })

  return Effect.fnUntraced(function* (reversal: Reversal, planned: FinalDenial | undefined) {
    const asked = { ...reversal, kind: "reverse" } as const
    const recorded = yield* attempts.once(asked, Attempts.unlessDenied(planned, decide(reversal)))
    return Attempts.decisionOf(recorded, reversal.tid)
  })
})

/** The outcome of what captures a charge, once it is said when that will be disputed. */
const noticing = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const notices = yield* DisputeNotices

  const notice = Effect.fnUntraced(
    function* (charge: DisputableCharge) {
      const at = Option.getOrUndefined(yield* disputedAt(sql, charge))
      if (at !== undefined) yield* notices.expect(charge, at)
    },
    Effect.mapError((cause) => new ProviderError({ provider: "card operator", cause }))
  )

  return (companyId: CompanyId, charged: Effect.Effect<Charges.Charged, ProviderError>) =>
    Effect.flatMap(charged, ({ mayBeDisputed, outcome }) =>
      mayBeDisputed ? Effect.as(notice({ companyId, tid: outcome.tid }), outcome) : Effect.succeed(outcome)
    )
})

/**
 * An operator over the providers' store.
 *
 * **Details**
 *
 * Each request is a commit of its own, made before the response. The same attempt always gets the outcome that was
 * recorded first, whatever else the request has. A charge of a card whose expiry month is over (in Brazil, by the
 * request's business time) is denied with 54, one of an unknown token with 14. A capture is not
 * checked: what was never authorized is captured too. One that is denied releases what was held.
 */
const make = Effect.gen(function* () {
  const expecting = yield* noticing
  const receive = yield* Requests.make("card operator")
  const vault = yield* Vault.make
  const charges = yield* Charges.make
  const reverse = yield* reversing

  return CardOperator.of({
    tokenize: Spans.fn("CardOperator.tokenize")((companyId, card) =>
      receive({ kind: "tokenize", companyId }, () =>
        Effect.map(vault.tokenize(companyId, card), ({ isNew, token }) => ({
          response: token,
          outcome: "Tokenized",
          effect: isNew ? "tokenized" : "none",
          isRepeat: !isNew
        }))
      )
    ),
    charge: Spans.fn("CardOperator.charge")((charge) =>
      expecting(
        charge.companyId,
        receive({ ...charge, kind: "charge" }, (planned) => charges.charge(charge, planned))
      )
    ),
    capture: Spans.fn("CardOperator.capture")((capture) =>
      expecting(
        capture.companyId,
        receive({ ...capture, kind: "capture" }, (planned) => charges.capture(capture, planned))
      )
    ),
    reverse: Spans.fn("CardOperator.reverse")((reversal) =>
      receive({ ...reversal, kind: "reverse" }, (planned) => reverse(reversal, planned))
    ),
    lookup: Spans.fn("CardOperator.lookup")((attempt) =>
      receive({ ...attempt, kind: "lookup" }, () =>
        Effect.map(charges.recorded(["charge", "capture"], attempt.attemptId), (response) => ({
          response,
          outcome: Option.match(response, { onNone: () => "NotFound", onSome: ({ _tag }) => _tag }),
          effect: "none",
          isRepeat: false
        }))
      ).pipe(
        Effect.tap(
          Option.match({
            onNone: () => Effect.void,
            onSome: (outcome) =>
              expecting(attempt.companyId, Effect.succeed({ outcome, mayBeDisputed: outcome._tag === "Captured" }))
          })
        )
      )
    )
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CardOperator, never, SimulatorStore | SecureRandom.SecureRandom> = Layer.effect(
  CardOperator,
  make
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<CardOperator, never, SimulatorStore> = Layer.provide(
  layerNoDeps,
  SecureRandom.layerWebCrypto
)
