/**
 * Charges and captures of the simulated operator: what the card stands for decides.
 *
 * @since 0.1.0
 */
import type { OperatorOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { dateAt } from "@parcela/core/time/WallClock"
import type { Capture, Charge } from "@parcela/engine/ports/CardOperator"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type CardBehaviour, meaningOf } from "../CardBehaviour.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import { behaviourOf } from "../TestCards.ts"
import * as Attempts from "./Attempts.ts"
import * as BrandLimits from "./BrandLimits.ts"
import { denial } from "./Denial.ts"
import * as Requests from "./Requests.ts"

const ChargeOutcome = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Captured", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Authorized", { tid: Schema.String, authorizationCode: Schema.String }),
    Schema.TaggedStruct("Denied", {
      tid: Schema.String,
      code: Schema.String,
      message: Schema.String,
      merchantAdviceCode: Schema.optional(Schema.String)
    })
  ])
)

/** A card as the vault keeps it; its scenario is the name of its test card. */
interface KeptCard {
  readonly scenario: string
  readonly brand: CardBrandId | null
  readonly expires_at: string
}

const denied = (tid: string, denial: Omit<Requests.PlannedDenial, "_tag">): Attempts.Fresh<OperatorOutcome> => {
  const { code, merchantAdviceCode, message } = denial
  const advice = merchantAdviceCode === undefined ? {} : { merchantAdviceCode }
  return { outcome: { _tag: "Denied", tid, code, message, ...advice }, effect: "none" }
}

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

const newCodeOf = (random: SecureRandom.SecureRandom["Service"]) =>
  Effect.map(random.intBetween(0, 999_999), (code) => String(code).padStart(6, "0"))

/** What becomes of a charge. */
const charging = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom
  const limits = yield* BrandLimits.make

  /** Whether a card that is denied at first was denied so often for the transaction. */
  const isOver = Effect.fnUntraced(function* ({ card, transactionId }: Charge, tries: number) {
    const earlier = yield* sql`
      SELECT attempt_id FROM attempts WHERE card = ${card} AND transaction_id = ${transactionId} LIMIT ${tries}`
    return earlier.length >= tries
  })

  /** The denial that the card stands for; undefined when it is as good as any other. */
  const denialOf = Effect.fnUntraced(function* (charge: Charge, brand: CardBrandId | null, behaviour: CardBehaviour) {
    if (behaviour._tag !== "Denied") return undefined
    const { code, isCounted = false, merchantAdviceCode, tries } = behaviour
    if (tries !== undefined && (yield* isOver(charge, tries))) return undefined
    const passed = isCounted && brand !== null ? yield* limits.passedBy(charge, brand, code) : undefined
    const message = [meaningOf(brand, code), ...(passed === undefined ? [] : [passed])].join(". ")
    return { code, message, merchantAdviceCode }
  })

  /** The fault of a card whose attempts meet one, when this is the first request of its attempt. */
  const faultOf = Effect.fnUntraced(function* (charge: Charge, behaviour: CardBehaviour) {
    if (behaviour._tag !== "Faulty") return undefined
    const earlier = yield* sql`
      SELECT id FROM ledger WHERE attempt_id = ${charge.attemptId} AND kind = 'charge' LIMIT 1`
    return earlier.length === 0 ? behaviour.fault : undefined
  })

  const decide = Effect.fnUntraced(function* (charge: Charge, planned: Requests.PlannedDenial | undefined) {
    const { at, card: token, preAuthorize = false } = charge
    const tid = yield* random.ulid
    if (planned !== undefined) return denied(tid, planned)
    // The update locks the card's row: two charges of one card never both count as the first.
    const [card] = yield* sql<KeptCard>`
      UPDATE cards SET asked_at = ${at} WHERE token = ${token} RETURNING scenario, brand, expires_at`
    if (card === undefined) return denied(tid, denial("14", null))
    if (card.expires_at < dateAt(at).slice(0, 7)) return denied(tid, denial("54", card.brand))
    const behaviour = behaviourOf(card.scenario)
    const own = yield* denialOf(charge, card.brand, behaviour)
    if (own !== undefined) return denied(tid, own)
    const fault = yield* faultOf(charge, behaviour)
    if (fault !== undefined && Requests.isUnheeded("charge", fault)) return yield* new Requests.Unheeded({ fault })
    const isHeld = preAuthorize || behaviour._tag === "AuthorizedOnly"
    const isDisputed = behaviour._tag === "Disputed"
    return { ...(isHeld ? authorized : captured)(tid, yield* newCodeOf(random)), fault, isDisputed }
  })

  return decide
})

/** What becomes of a capture. */
const capturing = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom

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

  /** What the card stands for, and the denial of a capture that it stands for. */
  const cardOf = Effect.fnUntraced(function* ({ authorizedAs: tid }: Capture) {
    const [card] = yield* sql<KeptCard>`
      SELECT scenario, brand, expires_at FROM cards
      WHERE token = (SELECT card FROM attempts WHERE tid = ${tid} AND kind = 'charge')`
    const behaviour = card === undefined ? undefined : behaviourOf(card.scenario)
    const isDisputed = behaviour?._tag === "Disputed"
    if (card === undefined || behaviour?._tag !== "CaptureDenied") return { isDisputed }
    return { isDisputed, own: { code: behaviour.code, message: meaningOf(card.brand, behaviour.code) } }
  })

  const take = Effect.fnUntraced(function* (capture: Capture, planned: Requests.PlannedDenial | undefined) {
    const { authorizedAs } = capture
    const { isDisputed, own } = yield* cardOf(capture)
    const no = planned ?? own
    if (no === undefined) return { ...captured(authorizedAs, yield* newCodeOf(random)), isDisputed }
    const isReleased = yield* release(capture)
    return { ...denied(authorizedAs, no), effect: isReleased ? "reversed" : "none" } as const
  })

  return take
})

/** An outcome, and whether the charge may be one that is disputed. */
export interface Charged {
  readonly outcome: OperatorOutcome
  readonly mayBeDisputed: boolean
}

const named = (recorded: Attempts.Recorded<OperatorOutcome>): Requests.Decision<Charged> => {
  const { isDisputed = true, outcome } = recorded
  const decision = Attempts.decisionOf(recorded, outcome.tid)
  return { ...decision, response: { outcome, mayBeDisputed: isDisputed && outcome._tag === "Captured" } }
}

/** @category constructors */
export const make = Effect.gen(function* () {
  const attempts = yield* Attempts.make(ChargeOutcome)
  const decide = yield* charging
  const take = yield* capturing
  return {
    charge: (charge: Charge, planned: Requests.PlannedDenial | undefined) =>
      Effect.map(attempts.once({ ...charge, kind: "charge" }, decide(charge, planned)), named),
    capture: (capture: Capture, planned: Requests.PlannedDenial | undefined) =>
      Effect.map(attempts.once({ ...capture, kind: "capture" }, take(capture, planned)), named),
    recorded: attempts.recorded
  }
})
