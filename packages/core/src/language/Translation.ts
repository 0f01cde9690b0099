/**
 * Translation of messages to the language of a deployment. The code contains only English texts; each other language is
 * one table with the English texts as keys.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { validationErrors } from "./portuguese/ValidationErrors.ts"
import { refusals } from "./portuguese/Refusals.ts"
import { responses } from "./portuguese/Responses.ts"
import { denials, statuses } from "./portuguese/Statuses.ts"

/**
 * The supported languages: English and Portuguese.
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

/**
 * Translations by English sentence. `{}` is a part that is copied, `{>}` a part that is translated, and `{~}` a part
 * that is translated if a translation exists. The parts stay in order.
 */
type Rows = Readonly<Record<string, string>>

interface Pattern {
  readonly sentence: RegExp
  readonly placeholders: ReadonlyArray<string>
  readonly other: string
}

const placeholder = /\{[>~]?\}/gu

const compiled = (rows: Rows): ReadonlyArray<Pattern> =>
  Object.entries(rows).flatMap(([english, other]) => {
    const placeholders = english.match(placeholder)
    if (placeholders === null) return []
    const parts = english.split(placeholder).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&"))
    return [{ sentence: new RegExp(`^${parts.join("(.*?)")}$`, "su"), placeholders, other }]
  })

const portuguese: Rows = { ...statuses, ...denials, ...refusals, ...validationErrors, ...responses }

/** True if the sentence starts with a placeholder, which matches any beginning: "{} to {} characters". */
const isOpen = ({ sentence }: Pattern): boolean => sentence.source.startsWith("^(")

// Longer patterns are tried first: "a whole number from 0 to 9; narrow .." must not match "a whole number from {} to
// {}".
const patterns = compiled(portuguese).toSorted(
  (a, b) => Number(isOpen(a)) - Number(isOpen(b)) || b.sentence.source.length - a.sentence.source.length
)

/**
 * The Portuguese translation of a sentence; undefined if no table contains the sentence.
 *
 * **Details**
 *
 * A prefix `Entity.field: ` is copied unchanged.
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
  for (const { other, placeholders, sentence: pattern } of patterns) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    const parts = match.slice(1).map((part, index) => {
      const translated = placeholders[index] === "{}" ? part : inPortuguese(part)
      return placeholders[index] === "{~}" ? (translated ?? part) : translated
    })
    if (parts.includes(undefined)) return undefined
    const texts = parts.values()
    return other.replace(placeholder, () => texts.next().value ?? "")
  }
  return undefined
}

/**
 * Translates a sentence. Without a translation it stays English.
 *
 * @category conversions
 * @since 0.1.0
 */
export const translated = (sentence: string, language: Language): string =>
  language === "en" ? sentence : (inPortuguese(sentence) ?? sentence)
