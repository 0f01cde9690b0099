/**
 * In which fields something that is there differs from what a file of fixtures declares of it.
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

/** What no response shows: it cannot be compared. */
const hidden: ReadonlySet<string> = new Set(["cvv", "holder"])

/** Without a value, which a response says in several ways. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const isCardNumber = Schema.is(CardNumber)

/** A card's number is shown by its mask alone. */
const shownAs = (name: string, declared: unknown): unknown =>
  name === "number" && isCardNumber(declared) ? mask(declared) : declared

/** The places of the fields that are declared otherwise than they are shown: `value`, `Customer.name`. */
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
 * What is declared beside what is there under its name. What is not declared does not differ.
 *
 * @category getters
 * @since 0.1.0
 */
export const compared = (
  about: { readonly kind: string; readonly name: string },
  declared: object,
  shown: object
): typeof Applied.Type => {
  // Both are written as JSON.
  const fields = differences(declared as Fields, shown as Fields)
  return fields.length === 0 ? { ...about, outcome: "alreadyThere" } : { ...about, outcome: "differs", fields }
}
