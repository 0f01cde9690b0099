/**
 * What people read, in the language of a deployment. English texts stand where they are made; another language is one table by
 * them, so that no sentence is written down in two places.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { faults } from "./portuguese/Faults.ts"
import { refusals } from "./portuguese/Refusals.ts"
import { responses } from "./portuguese/Responses.ts"
import { denials, statuses } from "./portuguese/Statuses.ts"
import type { Rows } from "./Rows.ts"

/**
 * The languages that texts are shown in: English and Portuguese.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Language = Schema.Literals(["en", "pt"])

/**
 * @category models
 * @since 0.1.0
 */
export type Language = typeof Language.Type

interface Pattern {
  readonly sentence: RegExp
  readonly places: ReadonlyArray<string>
  readonly other: string
}

const place = /\{[>~]?\}/gu

const compiled = (rows: Rows): ReadonlyArray<Pattern> =>
  Object.entries(rows).flatMap(([english, other]) => {
    const places = english.match(place)
    if (places === null) return []
    const parts = english.split(place).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&"))
    return [{ sentence: new RegExp(`^${parts.join("(.*?)")}$`, "su"), places, other }]
  })

const portuguese: Rows = { ...statuses, ...denials, ...refusals, ...faults, ...responses }

/** Whether a sentence begins with a place, which then takes the words of any that ends alike: "{} to {} characters". */
const isOpen = ({ sentence }: Pattern): boolean => sentence.source.startsWith("^(")

// Those that say most are tried first: "a whole number from 0 to 9; narrow .." is no "a whole number from {} to {}".
const patterns = compiled(portuguese).toSorted(
  (a, b) => Number(isOpen(a)) - Number(isOpen(b)) || b.sentence.source.length - a.sentence.source.length
)

/**
 * A sentence of ours in Portuguese; undefined for one that no table has.
 *
 * **Details**
 *
 * `Entity.field: ` before a sentence stays.
 *
 * @category conversions
 * @since 0.1.0
 */
export const inPortuguese = (sentence: string): string | undefined => {
  if (Object.hasOwn(portuguese, sentence)) return portuguese[sentence]
  const [, field, words] = /^([A-Z]\w*\.[\w$]+: )(.+)$/su.exec(sentence) ?? []
  if (field !== undefined && words !== undefined) {
    const translated = inPortuguese(words)
    return translated === undefined ? undefined : `${field}${translated}`
  }
  for (const { other, places, sentence: pattern } of patterns) {
    const found = pattern.exec(sentence)
    if (found === null) continue
    const parts = found.slice(1).map((part, index) => {
      const known = places[index] === "{}" ? part : inPortuguese(part)
      return places[index] === "{~}" ? (known ?? part) : known
    })
    if (parts.includes(undefined)) return undefined
    const texts = parts.values()
    return other.replace(place, () => texts.next().value ?? "")
  }
  return undefined
}

/**
 * A sentence of ours in a language; one that is not known there stays English.
 *
 * @category conversions
 * @since 0.1.0
 */
export const translated = (sentence: string, language: Language): string =>
  language === "en" ? sentence : (inPortuguese(sentence) ?? sentence)
