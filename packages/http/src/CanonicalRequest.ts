/**
 * A decoded request as one text, the same for the same request however its JSON was written, and without card data.
 *
 * @since 0.1.0
 */
import { type CardNumber, cardNumberLabel, mask } from "@parcela/core/cards/CardNumber"
import * as Redacted from "effect/Redacted"

/**
 * What a request asks for: its operation, its path and its body.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodedRequest {
  readonly operation: string
  readonly params?: unknown
  readonly payload?: unknown
}

/**
 * The request as JSON with sorted keys. In place of a card number stands its mask, and in place of any other redacted
 * value (the CVV) nothing: what is made of this text and kept derives from neither.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonical = (request: DecodedRequest): string => JSON.stringify(sorted(request))

const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Redacted.isRedacted(value)) {
    // Only `CardNumber` is redacted under this label.
    return value.label === cardNumberLabel ? mask(Redacted.value(value) as CardNumber) : undefined
  }
  if (Array.isArray(value)) return value.map(sorted)
  // An object's own values, by their names.
  const fields = value as Readonly<Record<string, unknown>>
  // The names are those of schemas: none of them is `__proto__`.
  const inOrder: Record<string, unknown> = {}
  for (const key of Object.keys(fields).sort()) inOrder[key] = sorted(fields[key])
  return inOrder
}
