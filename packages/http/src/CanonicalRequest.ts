/**
 * Canonical text of a decoded request: independent of how the client formatted the JSON, and without card data.
 *
 * @since 0.1.0
 */
import { type CardNumber, cardNumberLabel, mask } from "@parcela/core/cards/CardNumber"
import * as Redacted from "effect/Redacted"

/**
 * The parts of a request that identify the work: operation, path and body.
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
 * Returns the request as JSON with sorted keys. A card number is replaced by its mask; any other redacted value (the
 * CVV) is left out. Fingerprints made of this text therefore do not depend on secrets.
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
  // The value is a plain object: only its own keys are read.
  const fields = value as Readonly<Record<string, unknown>>
  // Schemas define these names, and none of them is `__proto__`.
  const inOrder: Record<string, unknown> = {}
  for (const key of Object.keys(fields).sort()) inOrder[key] = sorted(fields[key])
  return inOrder
}
