/**
 * Which fields of a request have a form of their own, and which unknown keys are not ignored.
 *
 * @since 0.1.0
 */

const withoutBlanks = (value: unknown): unknown => (typeof value === "string" ? value.replace(/[ \t]/gu, "") : value)

/** A number with area code, as a number; Brazil's country code before it is left out (55, then 10 or 11 digits). */
const phone = (value: unknown): unknown => {
  const digits = Number.isSafeInteger(value) || typeof value === "string" ? String(value) : ""
  const national = /^55\d{10,11}$/u.test(digits) ? digits.slice(2) : digits
  return /^[1-9]\d{9,10}$/u.test(national) ? Number(national) : value
}

/** The items of a list that somebody filled in: forms write `null` or empty text for the others. */
export const filledIn = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  items.filter((item) => item !== null && item !== "")

const phones = (value: unknown): unknown => (Array.isArray(value) ? filledIn(value).map(phone) : value)

const asItIs = (value: unknown): unknown => value

/** By `Entity.field`: how such a field is put into form. */
export const specialForms: { readonly [field: string]: (value: unknown) => unknown } = {
  "Card.number": withoutBlanks,
  "Card.cvv": asItIs,
  "Address.zipCode": asItIs,
  "Customer.phones": phones
}

/** By `Entity.field`: another name that clients of the family give a field. It counts where the field itself is not there. */
export const otherNames: { readonly [field: string]: string } = {
  "Subscription.payday": "firstPayDayDate"
}

/** Names of fields by which money moves, or a day, or that nothing is charged at all. */
const matters = /^value|^(?:fine|interest)$|[pP]ay[dD]ay|Date$|(?:From|To)$|^payedOutside/u

const paidOutside = /^pa\w{1,4}outside/iu

/**
 * The known key that an unknown one is likely to mean, where a mistake would matter: in a query that narrows a list any would,
 * as a filter that is ignored lists everything.
 */
export const meantBy = (key: string, known: Iterable<string>, isNarrowing: boolean): string | undefined => {
  // The longest name that matters is shorter: others are not compared.
  if (key.length > 40) return undefined
  for (const name of known) {
    if (!isNarrowing && !matters.test(name)) continue
    if (paidOutside.test(key) && paidOutside.test(name)) return name
    // Of four letters two are half the word.
    if (distance(key.toLowerCase(), name.toLowerCase()) <= (name.length > 4 ? 2 : 1)) return name
  }
  return undefined
}

/** How many letters have to be added, left out or replaced (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (const [i, letter] of [...a].entries()) {
    let left = i + 1
    row = [
      left,
      ...[...b].map((other, j) => {
        const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
        left = Math.min(replaced, left + 1, (row[j + 1] ?? 0) + 1)
        return left
      })
    ]
  }
  return row.at(-1) ?? 0
}
