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

// The catalogues come last: see `grant`.
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

/** The longest `scope` that a token answer can carry: `string 255` (interface section 2.11). */
const maximumLength = 255

/**
 * The scopes that a token gets: those both asked for and allowed. Nothing asked for means all that is allowed.
 *
 * **Gotchas**
 *
 * All 21 scopes are 308 characters and the answer's `scope` field holds 255. When the result is too long, the
 * catalogue scopes are left out, from `pos.write` up, until it fits; a token that asks for them by name gets them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const grant = (allowed: ReadonlyArray<Scope>, asked: ReadonlyArray<string>): ReadonlyArray<Scope> => {
  const granted: Array<Scope> = []
  let length = -1
  for (const scope of byNeed) {
    if (!allowed.includes(scope) || (asked.length > 0 && !asked.includes(scope))) continue
    if (length + 1 + scope.length > maximumLength) break
    length += 1 + scope.length
    granted.push(scope)
  }
  return granted
}

/**
 * A `scope` field as its words; runs of white space and an absent field are no words.
 *
 * @category conversions
 * @since 0.1.0
 */
export const words = (text: string | undefined): ReadonlyArray<string> =>
  text === undefined ? [] : text.split(/\s+/).filter((word) => word !== "")
