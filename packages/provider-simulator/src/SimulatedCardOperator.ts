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
import * as Work from "./internal/Work.ts"
import { disputedAt } from "./SimulatedChargebacks.ts"
import { SimulatorStore } from "./SimulatorStore.ts"

const ReversalRecord = Schema.Union([Schema.TaggedStruct("Reversed", {}), Attempts.DeniedForGood])

const notLeft: FinalDenial = {
  _tag: "DeniedForGood",
  code: "notLeft",
  message: "More was asked back than is left of the charge"
}

const findCharges = "SELECT kind, value FROM attempts WHERE tid = ? AND kind IN ('charge', 'capture')"
const findReversals = "SELECT value FROM attempts WHERE tid = ? AND kind = 'reverse'"

const sum = (rows: ReadonlyArray<{ readonly value: number }>) => rows.reduce((all, row) => all + row.value, 0)

/** What is given back: never more than was captured, or than is held where nothing was captured. */
function* reversing({ tid, value }: Reversal): Work.Work<Attempts.Fresh<ReversalOutcome>> {
  // Two reversals of a charge never both take the rest.
  const charges = yield* Work.lock<{ kind: string; value: number }>(findCharges, tid)
  // A capture takes what its charge held.
  const captures = charges.filter(({ kind }) => kind === "capture")
  const reversals = yield* Work.read<{ value: number }>(findReversals, tid)
  return value > sum(captures.length > 0 ? captures : charges) - sum(reversals)
    ? { outcome: notLeft, effect: "none" }
    : { outcome: { _tag: "Reversed" }, effect: "reversed", tid }
}

const reversals = Attempts.make(ReversalRecord)

function* reverse(reversal: Reversal, now: number, planned: FinalDenial | undefined) {
  const asked = { ...reversal, kind: "reverse" } as const
  const deciding = () => Attempts.unlessDenied(planned, () => reversing(reversal))
  return Attempts.decisionOf(yield* reversals.once<never>(asked, now, deciding), reversal.tid)
}

/** Says when a charge that was captured will be disputed, where it will be. */
const noticing = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const notices = yield* DisputeNotices

  return Effect.fnUntraced(
    function* (charge: DisputableCharge) {
      const at = Option.getOrUndefined(yield* disputedAt(sql, charge))
      if (at !== undefined) yield* notices.expect(charge, at)
    },
    Effect.mapError((cause) => new ProviderError({ provider: "card operator", cause }))
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
  const notice = yield* noticing
  const receive = yield* Requests.make("card operator")
  const vault = yield* Vault.make
  const charges = yield* Charges.make

  return CardOperator.of({
    tokenize: Spans.fn("CardOperator.tokenize")(function* (companyId, card) {
      const tokenize = yield* vault.tokenize(companyId, card)
      return yield* receive({ kind: "tokenize", companyId }, tokenize)
    }),
    charge: Spans.fn("CardOperator.charge")(function* (asked) {
      const charge = { ...asked, kind: "charge" } as const
      const { mayBeDisputed, outcome } = yield* receive(charge, yield* charges.charge(charge))
      if (mayBeDisputed) yield* notice({ companyId: charge.companyId, tid: outcome.tid })
      return outcome
    }),
    capture: Spans.fn("CardOperator.capture")(function* (asked) {
      const capture = { ...asked, kind: "capture" } as const
      const { mayBeDisputed, outcome } = yield* receive(capture, yield* charges.capture(capture))
      if (mayBeDisputed) yield* notice({ companyId: capture.companyId, tid: outcome.tid })
      return outcome
    }),
    reverse: Spans.fn("CardOperator.reverse")((reversal) =>
      receive({ ...reversal, kind: "reverse" }, (now, planned) => reverse(reversal, now, planned))
    ),
    lookup: Spans.fn("CardOperator.lookup")(function* ({ companyId, ...asked }) {
      const found = yield* receive({ ...asked, companyId, kind: "lookup" }, () => charges.lookUp(asked.attemptId))
      if (found?._tag === "Captured") yield* notice({ companyId, tid: found.tid })
      return Option.fromUndefinedOr(found)
    })
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
