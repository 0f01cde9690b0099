/**
 * A delivery in the inbox: the stored form of its body, and the form that a handler receives.
 *
 * **Details**
 *
 * The inbox stores the signed bytes without the secret `confirmHash`, so that the signature can be verified again. Each
 * `confirmHash` in the body is replaced by a control character, which JSON never contains unescaped. A receiver with the
 * configured `confirmHash` can restore the body.
 *
 * @since 0.1.0
 */
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { LeasedEntry } from "./Inbox.ts"
import { parseText, readMessage, type ReceivedMessage, type UnreadableMessage } from "./ReceivedMessage.ts"

/**
 * A verified and stored delivery, leased by a worker.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delivery {
  /** The name of the sender, as in `SenderConfig`. */
  readonly sender: string
  readonly message: ReceivedMessage
  readonly receivedAt: MachineTime
  /** The number of attempts, with this one. After a crash, an earlier attempt may have completed its work. */
  readonly attempts: number
  /**
   * True if a newer delivery of the same transaction (or, without a transaction, of the same subscription) was handled
   * before. The status of this delivery is then outdated.
   */
  readonly late: boolean
}

/**
 * Returns the delivery of a leased entry.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromLeased = (
  { body, late, receivedAt, sender, attempts }: LeasedEntry,
  naming: NamingProfile = svcPay
): Result.Result<Delivery, UnreadableMessage> =>
  parseText(withoutMarks(body)).pipe(
    Result.flatMap((parsed) => readMessage(parsed, naming)),
    Result.map((message) => ({ sender, message, receivedAt, attempts, late }))
  )

/**
 * Runs `apply` unless the delivery is late. For handlers that overwrite the last status.
 *
 * @category combinators
 * @since 0.1.0
 */
export const applyIfNewer = <A, E, R>(
  delivery: Delivery,
  apply: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> => (delivery.late ? Effect.succeedNone : Effect.asSome(apply))

/**
 * Replaces each occurrence of `confirmHash` in a body. The text must be valid JSON.
 *
 * **Details**
 *
 * `restore` returns the same bytes, except for a `confirmHash` that is written with `\u` escapes. Such a value is
 * removed for good, and the signature of this body cannot be verified again.
 *
 * @category conversions
 * @since 0.1.0
 */
export const mask = (text: string, confirmHash: Redacted.Redacted<string>): string => {
  const value = Redacted.value(confirmHash)
  if (value === "") return text
  const masked = formsOf(value).reduce((masked, [mark, form]) => masked.replaceAll(form, mark), text)
  if (formsOf(value).some(([mark]) => masked.includes(mark))) return masked
  return masked.replace(stringLiteral, (literal) => (parsed(literal) === value ? `"${removed}"` : literal))
}

/**
 * Returns the signed text of a masked body.
 *
 * @category conversions
 * @since 0.1.0
 */
export const restore = (masked: string, confirmHash: Redacted.Redacted<string>): string =>
  formsOf(Redacted.value(confirmHash)).reduce((text, [mark, form]) => text.replaceAll(mark, () => form), masked)

/** Returns a masked text as valid JSON. The masked values are empty texts. */
const withoutMarks = (masked: string): string => masked.replace(marks, "")

/**
 * True if exactly one occurrence was masked, and in its usual form.
 *
 * @category conversions
 * @since 0.1.0
 */
export const isMaskedOnce = (masked: string): boolean => {
  const first = masked.indexOf(plain)
  return (
    first !== -1 &&
    masked.indexOf(plain, first + 1) === -1 &&
    !masked.includes(slashesEscaped) &&
    !masked.includes(removed)
  )
}

// SUBSTITUTE and two of its neighbours: below U+0020, so valid JSON contains them only in escaped form.
const plain = "\u001a"
const slashesEscaped = "\u001c"
const removed = "\u001d"
// oxlint-disable-next-line no-control-regex -- the marks are control characters
const marks = /[\u001a\u001c\u001d]/gu
const stringLiteral = /"(?:[^"\\]|\\.)*"/gu

/** The forms of a text in JSON. PHP escapes slashes. */
const formsOf = (value: string): ReadonlyArray<readonly [mark: string, form: string]> => {
  const form = JSON.stringify(value).slice(1, -1)
  return form.includes("/")
    ? [
        [slashesEscaped, form.replaceAll("/", "\\/")],
        [plain, form]
      ]
    : [[plain, form]]
}

const parsed = (literal: string): unknown => {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
