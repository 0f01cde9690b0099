/**
 * Compares an existing entity with its declaration in a fixtures file.
 *
 * @since 0.1.0
 */
import { CardNumber, mask } from "@parcela/core/cards/CardNumber"
import type { Applied } from "@parcela/transport/sandbox/FixtureControls"
import * as Schema from "effect/Schema"

interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields that responses never show, so they cannot be compared. */
const hidden: ReadonlySet<string> = new Set(["cvv", "holder"])

/** Returns true for a missing value, which responses represent in several ways. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const isCardNumber = Schema.is(CardNumber)

/** Returns the value as a response shows it: a card's number as its mask. */
const shownAs = (name: string, declared: unknown): unknown =>
  name === "number" && isCardNumber(declared) ? mask(declared) : declared

/** Returns the paths of the fields whose declared values differ from the shown ones: `value`, `Customer.name`. */
const differences = (declared: Fields, shown: Fields): ReadonlyArray<string> =>
  Object.entries(declared).flatMap(([name, value]) => (hidden.has(name) ? [] : within(name, value, shown[name])))

const within = (name: string, declared: unknown, shown: unknown): ReadonlyArray<string> => {
  if (isNothing(declared) && isNothing(shown)) return []
  if (isFields(declared) && isFields(shown)) return differences(declared, shown).map((field) => `${name}.${field}`)
  if (!Array.isArray(declared) || !Array.isArray(shown)) return shownAs(name, declared) === shown ? [] : [name]
  const isSame =
    declared.length === shown.length && declared.every((item, index) => within(name, item, shown[index]).length === 0)
  return isSame ? [] : [name]
}

/**
 * Compares a declaration with the existing entity of the same name. Undeclared fields are ignored.
 *
 * @category getters
 * @since 0.1.0
 */
export const compared = (
  about: { readonly kind: string; readonly name: string },
  declared: object,
  shown: object
): typeof Applied.Type => {
  // Both values are JSON objects.
  const fields = differences(declared as Fields, shown as Fields)
  return fields.length === 0 ? { ...about, outcome: "alreadyThere" } : { ...about, outcome: "differs", fields }
}
