/**
 * Charges and captures of the simulated operator: what the card stands for decides.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { OperatorOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { dateAt } from "@parcela/core/time/WallClock"
import type { Capture, Charge } from "@parcela/engine/ports/CardOperator"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type CardBehaviour, meaningOf } from "../CardBehaviour.ts"
import { behaviourOf } from "../TestCards.ts"
import * as Attempts from "./Attempts.ts"
import * as BrandLimits from "./BrandLimits.ts"
import { denial } from "./Denial.ts"
import type { Decision, Unheeded } from "./Received.ts"
import * as Requests from "./Requests.ts"
import * as Work from "./Work.ts"

const ChargeOutcome = Schema.Union([
  Schema.TaggedStruct("Captured", { tid: Schema.String, authorizationCode: Schema.String }),
  Schema.TaggedStruct("Authorized", { tid: Schema.String, authorizationCode: Schema.String }),
  Schema.TaggedStruct("Denied", {
    tid: Schema.String,
    code: Schema.String,
    message: Schema.String,
    merchantAdviceCode: Schema.optional(Schema.String)
  })
])

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

type DecideOnCharge = (
  now: number,
  planned: Requests.PlannedDenial | undefined
) => Work.Work<Decision<Charged> | Unheeded>

/** Whether a card that is denied at first was denied so often for the transaction. */
function* isOver({ card, transactionId }: Charge, tries: number): Work.Work<boolean> {
  const earlier = yield* Work.read(
    "SELECT attempt_id FROM attempts WHERE card = ? AND transaction_id = ? AND is_counted = 1 LIMIT ?",
    card,
    transactionId,
    tries
  )
  return earlier.length >= tries
}

/** Whether a denial depends on earlier tries of the card. */
const countsTries = (behaviour: CardBehaviour): boolean =>
  behaviour._tag === "Denied" && (behaviour.tries !== undefined || behaviour.isCounted === true)

/** The denial that the card stands for; undefined when it is as good as any other. */
function* denialOf(charge: Charge, brand: CardBrandId | null, behaviour: CardBehaviour) {
  if (behaviour._tag !== "Denied") return undefined
  const { code, isCounted = false, merchantAdviceCode, tries } = behaviour
  if (tries !== undefined && (yield* isOver(charge, tries))) return undefined
  const passed = isCounted && brand !== null ? yield* BrandLimits.passedBy(charge, brand, code) : undefined
  const message = [meaningOf(brand, code), ...(passed === undefined ? [] : [passed])].join(". ")
  return { code, message, merchantAdviceCode }
}

/** The fault of a card whose attempts meet one, when this is the first request of its attempt. */
function* faultOf(charge: Charge, behaviour: CardBehaviour) {
  if (behaviour._tag !== "Faulty") return undefined
  const earlier = yield* Work.read(
    "SELECT id FROM ledger WHERE attempt_id = ? AND kind = 'charge' LIMIT 1",
    charge.attemptId
  )
  return earlier.length === 0 ? behaviour.fault : undefined
}

/** What becomes of a charge. */
function* decide(
  charge: Charge,
  tid: string,
  authorizationCode: string,
  planned: Requests.PlannedDenial | undefined
): Work.Work<Attempts.Fresh<OperatorOutcome> | Unheeded> {
  const { at, card: token, preAuthorize = false } = charge
  if (planned !== undefined) return denied(tid, planned)
  // Two charges of one card never both count as the first.
  const [card] = yield* Work.lock<KeptCard>("SELECT scenario, brand, expires_at FROM cards WHERE token = ?", token)
  if (card === undefined) return denied(tid, denial("14", null))
  if (card.expires_at < dateAt(at).slice(0, 7)) return denied(tid, denial("54", card.brand))
  const behaviour = behaviourOf(card.scenario)
  const isUncounted = !countsTries(behaviour)
  const own = yield* denialOf(charge, card.brand, behaviour)
  if (own !== undefined) return { ...denied(tid, own), isUncounted }
  const fault = yield* faultOf(charge, behaviour)
  if (fault !== undefined && Requests.isUnheeded("charge", fault)) return { _tag: "Unheeded", fault }
  const isHeld = preAuthorize || behaviour._tag === "AuthorizedOnly"
  const isDisputed = behaviour._tag === "Disputed"
  return { ...(isHeld ? authorized : captured)(tid, authorizationCode), fault, isDisputed, isUncounted }
}

/** Nothing is held any more: written as a reversal under the capture's own attempt. False when nothing was held. */
function* release({ at, attemptId, authorizedAs: tid, companyId, transactionId }: Capture, now: number) {
  const released = yield* Work.write(
    `INSERT INTO attempts (kind, attempt_id, company_id, transaction_id, value, tid, outcome, created_at, business_at,
       is_counted)
     SELECT 'reverse', ?, ?, ?, value, tid, ?, ?, ?, 0
     FROM attempts WHERE tid = ? AND kind = 'charge'
     ON CONFLICT (kind, attempt_id) DO NOTHING RETURNING kind`,
    attemptId,
    companyId,
    transactionId,
    JSON.stringify({ _tag: "Reversed" }),
    now,
    at,
    tid
  )
  return released.length > 0
}

/**
 * For how long an authorization can be captured: Cielo's standard, "7 calendar days" (docs.cielo.com.br, "Capture", 2026). Other
 * operators hold it for 5 to 30 days.
 */
const authorizationLasts = 7 * 24 * 60 * 60_000

/** Cielo's code of a capture that comes too late (API e-commerce, error 308). */
const lapsed = { code: "308", message: "The authorization is older than 7 days and has lapsed" }

/** The denial of a capture whose authorization has lapsed. */
function* lapseOf({ at, authorizedAs: tid }: Capture) {
  const [charge] = yield* Work.read<{ at: number | null }>(
    "SELECT business_at AS at FROM attempts WHERE tid = ? AND kind = 'charge'",
    tid
  )
  return typeof charge?.at === "number" && at - charge.at > authorizationLasts ? lapsed : undefined
}

/** What the card stands for, and the denial of a capture that it stands for. */
function* cardOf({ authorizedAs: tid }: Capture) {
  const [card] = yield* Work.read<KeptCard>(
    `SELECT scenario, brand, expires_at FROM cards
     WHERE token = (SELECT card FROM attempts WHERE tid = ? AND kind = 'charge')`,
    tid
  )
  const behaviour = card === undefined ? undefined : behaviourOf(card.scenario)
  const isDisputed = behaviour?._tag === "Disputed"
  if (card === undefined || behaviour?._tag !== "CaptureDenied") return { isDisputed }
  return { isDisputed, own: { code: behaviour.code, message: meaningOf(card.brand, behaviour.code) } }
}

/** What becomes of a capture. */
function* take(
  capture: Capture,
  authorizationCode: string,
  now: number,
  planned: Requests.PlannedDenial | undefined
): Work.Work<Attempts.Fresh<OperatorOutcome>> {
  const { authorizedAs } = capture
  const { isDisputed, own } = yield* cardOf(capture)
  const no = planned ?? own ?? (yield* lapseOf(capture))
  if (no === undefined) return { ...captured(authorizedAs, authorizationCode), isDisputed }
  const isReleased = yield* release(capture, now)
  return { ...denied(authorizedAs, no), effect: isReleased ? "reversed" : "none" }
}

/** An outcome, and whether the charge may be one that is disputed. */
export interface Charged {
  readonly outcome: OperatorOutcome
  readonly mayBeDisputed: boolean
}

const named = (recorded: Attempts.Recorded<OperatorOutcome> | Unheeded): Decision<Charged> | Unheeded => {
  if (recorded._tag === "Unheeded") return recorded
  const { isDisputed = true, outcome } = recorded
  const decision = Attempts.decisionOf(recorded, outcome.tid)
  return { ...decision, response: { outcome, mayBeDisputed: isDisputed && outcome._tag === "Captured" } }
}

/** @category constructors */
export const make = Effect.map(SecureRandom.SecureRandom, (random) => {
  const attempts = Attempts.make(ChargeOutcome)
  const codes = Effect.map(random.intBetween(0, 999_999), (code) => String(code).padStart(6, "0"))

  function* once(
    asked: (Charge & { readonly kind: "charge" }) | (Capture & { readonly kind: "capture" }),
    now: number,
    deciding: () => Work.Work<Attempts.Fresh<OperatorOutcome> | Unheeded>
  ) {
    return named(yield* attempts.once(asked, now, deciding))
  }

  return {
    /** The decision on a charge, with the chance that it may need, which is drawn before its work. */
    charge: (charge: Charge & { readonly kind: "charge" }): Effect.Effect<DecideOnCharge> =>
      Effect.flatMap(random.ulid, (tid) =>
        Effect.map(codes, (code) => (now, planned) => once(charge, now, () => decide(charge, tid, code, planned)))
      ),
    /** The same of a capture. */
    capture: (capture: Capture & { readonly kind: "capture" }): Effect.Effect<DecideOnCharge> =>
      Effect.map(codes, (code) => (now, planned) => once(capture, now, () => take(capture, code, now, planned))),
    /** What became of a charge or a capture. */
    *lookUp(attemptId: AttemptId): Work.Work<Decision<OperatorOutcome | undefined>> {
      const response =
        (yield* attempts.recorded(attemptId, "charge")) ?? (yield* attempts.recorded(attemptId, "capture"))
      return { _tag: "Decision", response, outcome: response?._tag ?? "NotFound", effect: "none", isRepeat: false }
    }
  }
})
