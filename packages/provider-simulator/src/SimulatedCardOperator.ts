/**
 * A card operator with a vault, in a store of its own.
 *
 * What becomes of a charge is decided by the card's number, see `TestCards`. Of a card the vault stores the scenario
 * that its number stands for, brand, mask and expiry, and of a test card the name that the table of test cards gives it:
 * no number, no CVV, no holder, and nothing computed from them. See `internal/Vault` for how it knows a card again.
 *
 * @since 0.1.0
 */
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import type { OperatorOutcome, FinalDenial, ReversalOutcome } from "@parcela/core/attempts/AttemptOutcome"
import { dateAt } from "@parcela/core/time/WallClock"
import { type Capture, CardOperator, type Charge, type Reversal } from "@parcela/engine/ports/CardOperator"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Attempts from "./internal/Attempts.ts"
import { denial } from "./internal/Denial.ts"
import * as Requests from "./internal/Requests.ts"
import * as Vault from "./internal/Vault.ts"
import { SimulatorStore } from "./SimulatorStore.ts"
import { denialOf, type Scenario } from "./TestCards.ts"

const ChargeOutcome = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Captured", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Authorized", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Denied", { tid: Schema.String, code: Schema.String, message: Schema.String })
  ])
)

const ReversalRecord = Schema.fromJsonString(
  Schema.Union([Schema.TaggedStruct("Reversed", {}), Attempts.DeniedForGood])
)

/** A card as the vault keeps it. */
interface KeptCard {
  readonly scenario: Scenario
  readonly brand: CardBrandId | null
  readonly expires_at: string
}

/** What is charged, captured or looked up. */
const charging = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom
  const attempts = yield* Attempts.make(ChargeOutcome)
  const newAuthorizationCode = Effect.map(random.intBetween(0, 999_999), (code) => String(code).padStart(6, "0"))

  const denied = (tid: string, { code, message }: Omit<FinalDenial, "_tag">): Attempts.Fresh<OperatorOutcome> => ({
    outcome: { _tag: "Denied", tid, code, message },
    effect: "none"
  })
  const captured = (tid: string, authorizationCode: string): Attempts.Fresh<OperatorOutcome> => ({
    outcome: { _tag: "Captured", tid, authorizationCode },
    effect: "captured",
    tid
  })

  const authorized = (tid: string, authorizationCode: string): Attempts.Fresh<OperatorOutcome> => ({
    outcome: { _tag: "Authorized", tid, authorizationCode },
    effect: "authorized",
    tid
  })

  const decide = Effect.fnUntraced(function* (
    { at, card: token, preAuthorize = false, transactionId }: Charge,
    planned: FinalDenial | undefined
  ) {
    const tid = yield* random.ulid
    if (planned !== undefined) return denied(tid, planned)
    // The update locks the card's row: two charges of one card never both count as the first.
    const [card] = yield* sql<KeptCard>`
      UPDATE cards SET asked_at = ${at} WHERE token = ${token} RETURNING scenario, brand, expires_at`
    if (card === undefined) return denied(tid, denial("14", null))
    if (card.expires_at < dateAt(at).slice(0, 7)) return denied(tid, denial("54", card.brand))
    const earlier = yield* sql`
      SELECT attempt_id FROM attempts WHERE card = ${token} AND transaction_id = ${transactionId} LIMIT 1`
    const code = denialOf(card.scenario, earlier.length === 0)
    if (code !== undefined) return denied(tid, denial(code, card.brand))
    return (preAuthorize ? authorized : captured)(tid, yield* newAuthorizationCode)
  })

  /** Nothing is held any more: written as a reversal under the capture's own attempt. False when nothing was held. */
  const release = Effect.fnUntraced(function* ({ attemptId, authorizedAs: tid, companyId, transactionId }: Capture) {
    const outcome = JSON.stringify({ _tag: "Reversed" })
    const released = yield* sql`
      INSERT INTO attempts (kind, attempt_id, company_id, transaction_id, value, tid, outcome, created_at)
      SELECT 'reverse', ${attemptId}, ${companyId}, ${transactionId}, value, tid, ${outcome},
        ${yield* Clock.currentTimeMillis}
      FROM attempts WHERE tid = ${tid} AND kind = 'charge'
      ON CONFLICT (kind, attempt_id) DO NOTHING RETURNING kind`
    return released.length > 0
  })

  const take = Effect.fnUntraced(function* (capture: Capture, planned: FinalDenial | undefined) {
    const { authorizedAs } = capture
    if (planned === undefined) return captured(authorizedAs, yield* newAuthorizationCode)
    const isReleased = yield* release(capture)
    return { ...denied(authorizedAs, planned), effect: isReleased ? "reversed" : "none" } as const
  })

  return {
    charge: (charge: Charge, planned: FinalDenial | undefined) =>
      Effect.map(attempts.once({ ...charge, kind: "charge" }, decide(charge, planned)), named),
    capture: (capture: Capture, planned: FinalDenial | undefined) =>
      Effect.map(attempts.once({ ...capture, kind: "capture" }, take(capture, planned)), named),
    recorded: attempts.recorded
  }
})

const named = (recorded: Attempts.Recorded<OperatorOutcome>) => Attempts.decisionOf(recorded, recorded.outcome.tid)

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
  const receive = yield* Requests.make("card operator")
  const vault = yield* Vault.make
  const charges = yield* charging
  const reverse = yield* reversing

  return CardOperator.of({
    keep: Effect.fn("CardOperator.keep")((companyId, card) =>
      receive({ kind: "keep", companyId }, () =>
        Effect.map(vault.keep(companyId, card), ({ isNew, token }) => ({
          response: token,
          outcome: "Kept",
          effect: isNew ? "kept" : "none",
          isRepeat: !isNew
        }))
      )
    ),
    charge: Effect.fn("CardOperator.charge")((charge) =>
      receive({ ...charge, kind: "charge" }, (planned) => charges.charge(charge, planned))
    ),
    capture: Effect.fn("CardOperator.capture")((capture) =>
      receive({ ...capture, kind: "capture" }, (planned) => charges.capture(capture, planned))
    ),
    reverse: Effect.fn("CardOperator.reverse")((reversal) =>
      receive({ ...reversal, kind: "reverse" }, (planned) => reverse(reversal, planned))
    ),
    lookup: Effect.fn("CardOperator.lookup")((attempt) =>
      receive({ ...attempt, kind: "lookup" }, () =>
        Effect.map(charges.recorded(["charge", "capture"], attempt.attemptId), (response) => ({
          response,
          outcome: Option.match(response, { onNone: () => "NotFound", onSome: ({ _tag }) => _tag }),
          effect: "none",
          isRepeat: false
        }))
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
