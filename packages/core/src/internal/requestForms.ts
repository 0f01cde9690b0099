/**
 * Which fields of a request have a form of their own, and which unknown keys are not ignored.
 *
 * @since 0.1.0
 */

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
  "Card.cvv": asItIs,
  "Address.zipCode": asItIs,
  "Customer.phones": phones
}

/** By `Entity.field`: `null` is no absent field here, as without the amount everything that is left would be given back. */
export const notNullable: ReadonlySet<string> = new Set(["Charge.valueToReverse", "Transaction.valueToReverse"])

/** Filters by what names entities: empty, they are the list of a client that looks for none. */
export const namesEntities = /(?:Ids|^documents|^emails)$/u

/** By `Entity.field`: another name that clients of the family give a field. It counts where the field itself is not there. */
export const otherNames: { readonly [field: string]: string } = {
  "Subscription.payday": "firstPayDayDate"
}

/** Names of fields by which money moves, or a day, or that nothing is charged at all. */
const matters = /^value|^(?:fine|interest)$|[pP]ay[dD]ay|Date$|(?:From|To)$|^payedOutside/u

const paidOutside = /^pa\w{1,4}outside/iu

/** The known keys that an unknown key must not resemble: in a query that narrows a list, all of them, as an ignored filter lists everything. */
export const guardedNames = (known: Iterable<string>, isNarrowing: boolean): ReadonlyArray<string> =>
  [...known].filter((name) => isNarrowing || matters.test(name))

/** The guarded name that an unknown key is likely to mean. */
export const meantBy = (key: string, guarded: ReadonlyArray<string>): string | undefined =>
  guarded.find(
    (name) =>
      (paidOutside.test(key) && paidOutside.test(name)) ||
      // Of four letters two are half the word.
      isWithin(key.toLowerCase(), name.toLowerCase(), name.length > 4 ? 2 : 1)
  )

/** Whether at most so many letters have to be added, left out or replaced (Levenshtein). */
const isWithin = (key: string, name: string, edits: number): boolean => {
  if (Math.abs(key.length - name.length) > edits) return false
  let row = Array.from({ length: name.length + 1 }, (_, position) => position)
  for (let i = 0; i < key.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < name.length; j++) {
      // Each row has a number for each prefix of the name.
      const replaced = row[j]! + (key[i] === name[j] ? 0 : 1)
      // As above.
      next.push(Math.min(replaced, next[j]! + 1, row[j + 1]! + 1))
    }
    row = next
  }
  // As above.
  return row[name.length]! <= edits
}
