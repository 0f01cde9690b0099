/**
 * The scopes that a token may carry (interface section 5).
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

// The catalogues come last: see `scopeText`.
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

/** Scopes that move money out of the service, or charge at a counter: they are granted only when asked for by name. */
const byNameOnly: ReadonlyArray<Scope> = ["balance.write", "pos.write"]

/** The longest `scope` that a token response can carry: `string 255` (interface section 2.11). */
const maximumLength = 255

/**
 * The scopes that a token carries: those both asked for and allowed, most needed first. Nothing asked for means all that
 * is allowed but `balance.write` and `pos.write`, which must be asked for by name.
 *
 * @category decisions
 * @since 0.1.0
 */
export const grant = (allowed: ReadonlyArray<Scope>, asked: ReadonlyArray<string>): ReadonlyArray<Scope> =>
  byNeed.filter(
    (scope) => allowed.includes(scope) && (asked.length === 0 ? !byNameOnly.includes(scope) : asked.includes(scope))
  )

/**
 * The `scope` of a token response: as many of the scopes, in their order, as fit into its 255 characters.
 *
 * **Gotchas**
 *
 * All 21 scopes are 308 characters: the token may carry more than this text says, and never less.
 *
 * @category formatting
 * @since 0.1.0
 */
export const scopeText = (scopes: ReadonlyArray<Scope>): string => {
  const text = scopes.join(" ")
  if (text.length <= maximumLength) return text
  // The space that ends the last whole word may stand right behind the longest text.
  return text.slice(0, text.lastIndexOf(" ", maximumLength))
}

/**
 * A `scope` field as its words; runs of white space and an absent field are no words.
 *
 * @category conversions
 * @since 0.1.0
 */
export const words = (text: string | undefined): ReadonlyArray<string> =>
  text === undefined ? [] : text.split(/\s+/).filter((word) => word !== "")
