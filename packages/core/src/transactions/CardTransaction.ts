/**
 * Transactions that are paid by card.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Text } from "../values/Text.ts"
import { Cents } from "../money/Cents.ts"
import { BusinessTime } from "../time/Instant.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { common, ended, underWay } from "./TransactionFields.ts"

/**
 * An amount that the card operator took or holds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Authorization = Schema.Struct({
  /** The operator's name for it. */
  tid: Schema.String,
  code: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Authorization = typeof Authorization.Type

/**
 * Why the last denied try was denied. It stays after a later try is captured: decide on the status.
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
 * A holder's dispute, as the operator reported it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Dispute = Schema.Struct({
  /** The operator's name of it: the same one again is the same dispute. */
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
  /** Absent while its subscription or charge waits for its card. */
  cardId: Schema.optionalKey(SvcPayId),
  /** How the card is charged, where a request said so. */
  creditCard: Schema.optionalKey(CardTerms),
  /** How many registrations were withdrawn while it was a boleto or a Pix: it may be one again. */
  withdrawals: Schema.optionalKey(Schema.Int)
}

const byCard = { ...byAnyCard, cardId: SvcPayId }

/**
 * Not sent yet, or sent for the first time and without an outcome. Without a card it is not sent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardUnsent = Schema.Struct({
  ...byAnyCard,
  status: Schema.Literal("notSend"),
  lastSentAt: Schema.optionalKey(BusinessTime),
  underWay: underWay(["charge"])
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
  /** What was authorized when its capture was denied. */
  authorization: Schema.optionalKey(Authorization),
  underWay: underWay(["charge"])
})

const taken = { ...byCard, lastSentAt: BusinessTime, authorization: Authorization, denial: Schema.optionalKey(Denial) }

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardAuthorized = Schema.Struct({
  ...taken,
  status: Schema.Literal("authorized"),
  underWay: underWay(["capture", "reverse"])
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const CardCaptured = Schema.Struct({
  ...taken,
  status: Schema.Literal("captured"),
  /** The part that has been given back so far. */
  reversed: Schema.optionalKey(Cents),
  underWay: underWay(["reverse"])
})

/** The whole value was given back. */
const CardReversed = Schema.Struct({ ...taken, status: Schema.Literal("reversed") })

const CardDisputed = Schema.Struct({
  ...taken,
  status: Schema.Literal("chargeback"),
  /** The part that had been given back before. */
  reversed: Schema.optionalKey(Cents),
  dispute: Schema.optionalKey(Dispute)
})

/** Ended without the money of this card. */
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
