/**
 * Scopes of access tokens (interface section 5).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The 21 scopes of interface section 5.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Scope = Schema.Literals([
  "customers.read",
  "customers.write",
  "plans.read",
  "plans.write",
  "cards.read",
  "cards.write",
  "subscriptions.read",
  "subscriptions.write",
  "charges.read",
  "charges.write",
  "transactions.read",
  "transactions.write",
  "card-brands.read",
  "carnes.read",
  "boletos.read",
  "payment-methods.read",
  "webhooks.write",
  "pos.write",
  "releases.read",
  "balance.read",
  "balance.write"
])

/**
 * @category models
 * @since 0.1.0
 */
export type Scope = typeof Scope.Type

// Catalogue scopes are last, because `scopeText` cuts the end.
const byNeed: ReadonlyArray<Scope> = [
  "subscriptions.read",
  "subscriptions.write",
  "transactions.read",
  "transactions.write",
  "webhooks.write",
  "customers.read",
  "customers.write",
  "cards.read",
  "cards.write",
  "charges.read",
  "charges.write",
  "plans.read",
  "plans.write",
  "balance.read",
  "balance.write",
  "carnes.read",
  "boletos.read",
  "payment-methods.read",
  "card-brands.read",
  "releases.read",
  "pos.write"
]

/** Scopes that withdraw money or charge at a counter. A request must name them to get them. */
const byNameOnly: ReadonlyArray<Scope> = ["balance.write", "pos.write"]

/** Maximum length of `scope` in a token response: `string 255` (interface section 2.11). */
const maxLength = 255

/**
 * The scopes of a token: those that are both requested and allowed, most needed first. A request without scopes gets
 * all allowed scopes except `balance.write` and `pos.write`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const grant = (allowed: ReadonlyArray<Scope>, requested: ReadonlyArray<string>): ReadonlyArray<Scope> =>
  byNeed.filter(
    (scope) =>
      allowed.includes(scope) && (requested.length === 0 ? !byNameOnly.includes(scope) : requested.includes(scope))
  )

/**
 * The `scope` text of a token response: as many scopes, in their order, as fit into 255 characters.
 *
 * **Gotchas**
 *
 * All 21 scopes take 308 characters. The token can therefore have more scopes than this text, but never fewer.
 *
 * @category formatting
 * @since 0.1.0
 */
export const scopeText = (scopes: ReadonlyArray<Scope>): string => {
  const text = scopes.join(" ")
  if (text.length <= maxLength) return text
  // The search includes the position after the last allowed character, because a complete scope may end there.
  return text.slice(0, text.lastIndexOf(" ", maxLength))
}

/**
 * Splits a `scope` field at white space. An absent field has no scopes.
 *
 * @category conversions
 * @since 0.1.0
 */
export const words = (text: string | undefined): ReadonlyArray<string> =>
  text === undefined ? [] : text.split(/\s+/).filter((word) => word !== "")
