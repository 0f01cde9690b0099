/**
 * A simulated card operator with a vault. The card's number decides the outcome of a charge: see `TestCards`.
 *
 * **Details**
 *
 * Each request is one transaction, committed before the response. A repeated attempt returns the outcome that was recorded
 * first, whatever its other fields are. The vault stores no number, no CVV, no holder and nothing computed from them: see
 * `internal/CardVault`.
 *
 * - A charge of a card whose expiry month is over (in Brazil, at the request's business time) is denied with 54, a charge
 *   of an unknown token with 14.
 * - A capture is not checked against an authorization: a charge that was never authorized is captured too. A denied capture
 *   releases the authorized amount.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { FinalDenial, OperatorOutcome, ReversalOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { dateAt } from "@parcela/core/time/Instant"
import { type Capture, CardOperator, type Charge, type Reversal } from "@parcela/engine/ports/CardOperator"
import type { DisputableCharge } from "@parcela/engine/ports/ChargebackReports"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Spans from "@parcela/engine/Spans"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { countsCharges, denialOf, testDenialOf } from "./internal/CardDenials.ts"
import * as CardVault from "./internal/CardVault.ts"
import * as Requests from "./internal/ProviderRequests.ts"
import { disputedAt, DisputeNotices } from "./SimulatedChargebacks.ts"
import { SimulatorStore } from "./SimulatorStore.ts"
import * as Transaction from "./StoreTransactions.ts"
import { behaviourOf, type CardBehaviour, meaningOf } from "./TestCards.ts"

const make = Effect.gen(function* () {
  const notify = yield* disputeNotifier
  const receive = yield* Requests.makeReceive("card operator")
  const vault = yield* CardVault.make
  const charges = yield* makeCharges

  return CardOperator.of({
    tokenize: Spans.fn("CardOperator.tokenize")(function* (companyId, card) {
      const tokenize = yield* vault.tokenize(companyId, card)
      return yield* receive({ kind: "tokenize", companyId }, tokenize)
    }),
    charge: Spans.fn("CardOperator.charge")(function* (request) {
      const charge = { ...request, kind: "charge" } as const
      const { mayBeDisputed, outcome } = yield* receive(charge, yield* charges.charge(charge))
      if (mayBeDisputed) yield* notify({ companyId: charge.companyId, tid: outcome.tid })
      return outcome
    }),
    capture: Spans.fn("CardOperator.capture")(function* (request) {
      const capture = { ...request, kind: "capture" } as const
      const { mayBeDisputed, outcome } = yield* receive(capture, yield* charges.capture(capture))
      if (mayBeDisputed) yield* notify({ companyId: capture.companyId, tid: outcome.tid })
      return outcome
    }),
    reverse: Spans.fn("CardOperator.reverse")((reversal) =>
      receive({ ...reversal, kind: "reverse" }, (now, planned) => reverse(reversal, now, planned))
    ),
    lookup: Spans.fn("CardOperator.lookup")(function* ({ companyId, ...request }) {
      const outcome = yield* receive({ ...request, companyId, kind: "lookup" }, () => charges.lookUp(request.attemptId))
      if (outcome?._tag === "Captured") yield* notify({ companyId, tid: outcome.tid })
      return Option.fromUndefinedOr(outcome)
    })
  })
})

/**
 * The operator, with the caller's source of random numbers.
 *
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

/** Returns the function that reports the time of the dispute of a captured charge, if its test card stands for one. */
const disputeNotifier = Effect.gen(function* () {
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

/** The response to a charge or a capture. */
interface Charged {
  readonly outcome: OperatorOutcome
  readonly mayBeDisputed: boolean
}

type DecideCharge = (
  now: number,
  planned: Requests.PlannedDenial | undefined
) => Transaction.Body<Requests.Decision<Charged> | Requests.Ignored>

const makeCharges = Effect.map(SecureRandom.SecureRandom, (random) => {
  const attempts = Requests.attemptsOf(ChargeOutcome)
  const codes = Effect.map(random.intBetween(0, 999_999), (code) => String(code).padStart(6, "0"))

  function* once(
    request: (Charge & { readonly kind: "charge" }) | (Capture & { readonly kind: "capture" }),
    now: number,
    decide: () => Transaction.Body<Requests.FirstOutcome<OperatorOutcome> | Requests.Ignored>
  ) {
    return chargedOf(yield* attempts.once(request, now, decide))
  }

  return {
    /** Returns the decision on a charge. Random numbers are drawn before the transaction, which may run twice. */
    charge: (charge: Charge & { readonly kind: "charge" }): Effect.Effect<DecideCharge> =>
      Effect.flatMap(random.ulid, (tid) =>
        Effect.map(codes, (code) => (now, planned) => once(charge, now, () => decideCharge(charge, tid, code, planned)))
      ),
    /** Returns the decision on a capture. */
    capture: (capture: Capture & { readonly kind: "capture" }): Effect.Effect<DecideCharge> =>
      Effect.map(
        codes,
        (code) => (now, planned) => once(capture, now, () => decideCapture(capture, code, now, planned))
      ),
    /** Returns the outcome of a charge or a capture. */
    *lookUp(attemptId: AttemptId): Transaction.Body<Requests.Decision<OperatorOutcome | undefined>> {
      const response = (yield* attempts.find(attemptId, "charge")) ?? (yield* attempts.find(attemptId, "capture"))
      return { _tag: "Decision", response, outcome: response?._tag ?? "NotFound", effect: "none", isRepeat: false }
    }
  }
})

const chargedOf = (
  recorded: Requests.RecordedOutcome<OperatorOutcome> | Requests.Ignored
): Requests.Decision<Charged> | Requests.Ignored => {
  if (recorded._tag === "Ignored") return recorded
  const { isDisputed = true, outcome } = recorded
  const decision = Requests.decisionOf(recorded, outcome.tid)
  return { ...decision, response: { outcome, mayBeDisputed: isDisputed && outcome._tag === "Captured" } }
}

/** A card of the vault. `scenario` is the name of its test card. */
interface StoredCard {
  readonly scenario: string
  readonly brand: CardBrandId | null
  readonly expires_at: string
}

const denied = (
  tid: string,
  { code, merchantAdviceCode, message }: Omit<Requests.PlannedDenial, "_tag">
): Requests.FirstOutcome<OperatorOutcome> => {
  const advice = merchantAdviceCode === undefined ? {} : { merchantAdviceCode }
  return { outcome: { _tag: "Denied", tid, code, message, ...advice }, effect: "none" }
}

const captured = (tid: string, authorizationCode: string): Requests.FirstOutcome<OperatorOutcome> => ({
  outcome: { _tag: "Captured", tid, authorizationCode },
  effect: "captured",
  tid
})

const authorized = (tid: string, authorizationCode: string): Requests.FirstOutcome<OperatorOutcome> => ({
  outcome: { _tag: "Authorized", tid, authorizationCode },
  effect: "authorized",
  tid
})

function* decideCharge(
  charge: Charge,
  tid: string,
  authorizationCode: string,
  planned: Requests.PlannedDenial | undefined
): Transaction.Body<Requests.FirstOutcome<OperatorOutcome> | Requests.Ignored> {
  const { at, card: token, preAuthorize = false } = charge
  if (planned !== undefined) return denied(tid, planned)
  // The lock serializes charges of a card, so that two of them do not both count as the first.
  const [card] = yield* Transaction.lock<StoredCard>(
    "SELECT scenario, brand, expires_at FROM cards WHERE token = ?",
    token
  )
  if (card === undefined) return denied(tid, denialOf("14", null))
  if (card.expires_at < dateAt(at).slice(0, 7)) return denied(tid, denialOf("54", card.brand))
  const behaviour = behaviourOf(card.scenario)
  const isDenial = behaviour._tag === "Denied"
  const isUncounted = !(isDenial && countsCharges(behaviour))
  const denial = isDenial ? yield* testDenialOf(charge, card.brand, behaviour) : undefined
  if (denial !== undefined) return { ...denied(tid, denial), isUncounted }
  const fault = behaviour._tag === "Faulty" ? yield* faultOf(charge, behaviour) : undefined
  if (fault !== undefined && Requests.isIgnored("charge", fault)) return { _tag: "Ignored", fault }
  const isAuthorization = preAuthorize || behaviour._tag === "AuthorizedOnly"
  const isDisputed = behaviour._tag === "Disputed"
  return { ...(isAuthorization ? authorized : captured)(tid, authorizationCode), fault, isDisputed, isUncounted }
}

/** Returns the failure of a test card for the first request of an attempt. */
function* faultOf({ attemptId }: Charge, { fault }: Extract<CardBehaviour, { readonly _tag: "Faulty" }>) {
  const earlier = yield* Transaction.read(
    "SELECT id FROM ledger WHERE attempt_id = ? AND kind = 'charge' LIMIT 1",
    attemptId
  )
  return earlier.length === 0 ? fault : undefined
}

function* decideCapture(
  capture: Capture,
  authorizationCode: string,
  now: number,
  planned: Requests.PlannedDenial | undefined
): Transaction.Body<Requests.FirstOutcome<OperatorOutcome>> {
  const { authorizedAs } = capture
  const { denial: ofCard, isDisputed } = yield* cardOf(capture)
  const denial = planned ?? ofCard ?? (yield* lapseOf(capture))
  if (denial === undefined) return { ...captured(authorizedAs, authorizationCode), isDisputed }
  const isReleased = yield* release(capture, now)
  return { ...denied(authorizedAs, denial), effect: isReleased ? "reversed" : "none" }
}

/** Returns the denial that the test card stands for, and whether its charges are disputed. */
function* cardOf({ authorizedAs: tid }: Capture) {
  const [card] = yield* Transaction.read<StoredCard>(
    `SELECT scenario, brand, expires_at FROM cards
     WHERE token = (SELECT card FROM attempts WHERE tid = ? AND kind = 'charge')`,
    tid
  )
  const behaviour = card === undefined ? undefined : behaviourOf(card.scenario)
  const isDisputed = behaviour?._tag === "Disputed"
  if (card === undefined || behaviour?._tag !== "CaptureDenied") return { isDisputed }
  return { isDisputed, denial: { code: behaviour.code, message: meaningOf(card.brand, behaviour.code) } }
}

/**
 * Cielo's limit for the capture of an authorization, "7 calendar days" (docs.cielo.com.br, "Capture", 2026), in
 * milliseconds. Other operators have limits of 5 to 30 days.
 */
const authorizationLifetime = 7 * 24 * 60 * 60_000

/** Cielo's code for a capture after the limit (API e-commerce, error 308). */
const lapsed = { code: "308", message: "The authorization is older than 7 days and has lapsed" }

function* lapseOf({ at, authorizedAs: tid }: Capture) {
  const [charge] = yield* Transaction.read<{ at: number | null }>(
    "SELECT business_at AS at FROM attempts WHERE tid = ? AND kind = 'charge'",
    tid
  )
  return typeof charge?.at === "number" && at - charge.at > authorizationLifetime ? lapsed : undefined
}

/** Releases the authorized amount, as a reversal under the capture's attempt. Returns false if there was no amount. */
function* release({ at, attemptId, authorizedAs: tid, companyId, transactionId }: Capture, now: number) {
  const released = yield* Transaction.write(
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

const reversals = Requests.attemptsOf(Schema.Union([Schema.TaggedStruct("Reversed", {}), Requests.FinallyDenied]))

function* reverse(reversal: Reversal, now: number, planned: FinalDenial | undefined) {
  const request = { ...reversal, kind: "reverse" } as const
  const decide = () => Requests.unlessDenied(planned, () => decideReversal(reversal))
  return Requests.decisionOf(yield* reversals.once<never>(request, now, decide), reversal.tid)
}

const tooMuch: FinalDenial = {
  _tag: "FinallyDenied",
  code: "notLeft",
  message: "The amount is more than the charge has left"
}

const findCharges = "SELECT kind, value FROM attempts WHERE tid = ? AND kind IN ('charge', 'capture')"
const findReversals = "SELECT value FROM attempts WHERE tid = ? AND kind = 'reverse'"

const sum = (rows: ReadonlyArray<{ readonly value: number }>) => rows.reduce((total, row) => total + row.value, 0)

/** Reverses at most the captured amount, or the authorized amount of a charge without a capture. */
function* decideReversal({ tid, value }: Reversal): Transaction.Body<Requests.FirstOutcome<ReversalOutcome>> {
  // The lock serializes reversals of a charge, so that two of them do not both take the remainder.
  const charges = yield* Transaction.lock<{ kind: string; value: number }>(findCharges, tid)
  const captures = charges.filter(({ kind }) => kind === "capture")
  const earlier = yield* Transaction.read<{ value: number }>(findReversals, tid)
  return value > sum(captures.length > 0 ? captures : charges) - sum(earlier)
    ? { outcome: tooMuch, effect: "none" }
    : { outcome: { _tag: "Reversed" }, effect: "reversed", tid }
}
