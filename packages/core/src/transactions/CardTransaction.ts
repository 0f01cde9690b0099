/**
 * Stored transactions that are paid by card.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Text } from "../values/Text.ts"
import { Cents } from "../money/Cents.ts"
import { BusinessTime } from "../time/Instant.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { common, ended, pendingAttempt } from "./TransactionFields.ts"

/**
 * An amount that the card operator authorized or captured.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Authorization = Schema.Struct({
  /** The operator's transaction identifier. */
  tid: Schema.String,
  code: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Authorization = typeof Authorization.Type

/**
 * The last denial. It remains after a later attempt succeeds: use the status to decide.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Denial = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  tid: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Denial = typeof Denial.Type

/**
 * A dispute by the cardholder, as the operator reported it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Dispute = Schema.Struct({
  /** The operator's identifier of the dispute. */
  process: Text,
  at: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type Dispute = typeof Dispute.Type

const byAnyCard = {
  ...common,
  method: Schema.Literal("creditcard"),
  /** Absent while its subscription or charge waits for a card. */
  cardId: Schema.optionalKey(SvcPayId),
  /** Card settings of the request. */
  creditCard: Schema.optionalKey(CardTerms),
  /**
   * Number of cancelled registrations from the time when the payment was a boleto or a Pix. It may become one again.
   */
  withdrawals: Schema.optionalKey(Schema.Int)
}

const byCard = { ...byAnyCard, cardId: SvcPayId }

/**
 * Not sent yet, or the first attempt is pending. It is only sent with a card.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardUnsent = Schema.Struct({
  ...byAnyCard,
  status: Schema.Literal("notSend"),
  lastSentAt: Schema.optionalKey(BusinessTime),
  pendingAttempt: pendingAttempt(["charge"])
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardDenied = Schema.Struct({
  ...byCard,
  status: Schema.Literal("denied"),
  lastSentAt: BusinessTime,
  denial: Denial,
  /** The authorization whose capture was denied. */
  authorization: Schema.optionalKey(Authorization),
  pendingAttempt: pendingAttempt(["charge"])
})

const taken = { ...byCard, lastSentAt: BusinessTime, authorization: Authorization, denial: Schema.optionalKey(Denial) }

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardAuthorized = Schema.Struct({
  ...taken,
  status: Schema.Literal("authorized"),
  pendingAttempt: pendingAttempt(["capture", "reverse"])
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardCaptured = Schema.Struct({
  ...taken,
  status: Schema.Literal("captured"),
  /** Amount reversed so far. */
  reversed: Schema.optionalKey(Cents),
  pendingAttempt: pendingAttempt(["reverse"])
})

/** The whole value was reversed. */
const CardReversed = Schema.Struct({ ...taken, status: Schema.Literal("reversed") })

const CardDisputed = Schema.Struct({
  ...taken,
  status: Schema.Literal("chargeback"),
  /** Amount that was reversed before the dispute. */
  reversed: Schema.optionalKey(Cents),
  dispute: Schema.optionalKey(Dispute)
})

/** Ended without a payment by card. */
const CardEnded = Schema.Struct({
  ...byAnyCard,
  status: ended,
  lastSentAt: Schema.optionalKey(BusinessTime),
  denial: Schema.optionalKey(Denial),
  authorization: Schema.optionalKey(Authorization)
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardTransaction = Schema.Union([
  CardUnsent,
  CardDenied,
  CardAuthorized,
  CardCaptured,
  CardReversed,
  CardDisputed,
  CardEnded
])

/**
 * @category models
 * @since 0.1.0
 */
export type CardTransaction = typeof CardTransaction.Type
