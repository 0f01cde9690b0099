/**
 * A delivery as a handler gets it: acknowledged, stored, and leased.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { LeasedEntry } from "./Inbox.ts"
import { parseText, readMessage, type ReceivedMessage, type UnreadableMessage } from "./ReceivedMessage.ts"
import { withoutMarks } from "./StoredBody.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Delivery {
  /** The name of who sent it; see `SenderConfig`. */
  readonly sender: string
  readonly message: ReceivedMessage
  readonly receivedAt: MachineTime
  /** 1 the first time that it is handled; more after a failure, or after a crash that may have come after the work. */
  readonly tries: number
  /**
   * True when a newer delivery of the same transaction (or, without one, subscription) was handled before: its status is
   * out of date.
   */
  readonly late: boolean
}

/**
 * The delivery that a leased entry holds.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromLeased = (
  { body, late, receivedAt, sender, tries }: LeasedEntry,
  naming: NamingProfile = svcPay
): Result.Result<Delivery, UnreadableMessage> =>
  parseText(withoutMarks(body)).pipe(
    Result.flatMap((parsed) => readMessage(parsed, naming)),
    Result.map((message) => ({ sender, message, receivedAt, tries, late }))
  )

/**
 * Runs `apply` unless the delivery is late, which gives none: for handlers that overwrite what they know by what comes.
 *
 * @category combinators
 * @since 0.1.0
 */
export const applyIfNewer = <A, E, R>(
  delivery: Delivery,
  apply: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> => (delivery.late ? Effect.succeedNone : Effect.asSome(apply))
