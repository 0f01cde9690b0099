/**
 * Request fields with their own normalization, and unknown keys that must not be ignored: similar names of important
 * fields, and fields in the wrong object.
 *
 * @since 0.1.0
 */

/** A telephone number with area code, as a number. Brazil's country code (55 before 10 or 11 digits) is removed. */
const phone = (value: unknown): unknown => {
  const digits = Number.isSafeInteger(value) || typeof value === "string" ? String(value) : ""
  const national = /^55\d{10,11}$/u.test(digits) ? digits.slice(2) : digits
  return /^[1-9]\d{9,10}$/u.test(national) ? Number(national) : value
}

/** The non-empty items of a list: forms send `null` or empty text for fields that the user left empty. */
export const filledIn = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  items.filter((item) => item !== null && item !== "")

const phones = (value: unknown): unknown => (Array.isArray(value) ? filledIn(value).map(phone) : value)

/** A security code as a number. With fewer digits it has lost a leading zero. */
const cvv = (value: unknown): unknown =>
  Number.isSafeInteger(value) && /^\d{3,4}$/u.test(String(value)) ? String(value) : value

/** A postal code as a number. With fewer digits it has lost a leading zero. */
const zipCode = (value: unknown): unknown =>
  Number.isSafeInteger(value) && /^\d{8}$/u.test(String(value)) ? String(value) : value

/** Normalization of single fields, by `Entity.field`. */
export const specialForms: { readonly [field: string]: (value: unknown) => unknown } = {
  "Card.cvv": cvv,
  "Address.zipCode": zipCode,
  "Customer.phones": phones
}

/** Objects that are absent without a value in any field: forms send them for an address or card left empty. */
export const absentIfBlank: ReadonlySet<string> = new Set(["Customer.Address", "PaymentMethodCreditCard.Card"])

/**
 * Fields, by `Entity.field`, in which `null` is refused: without the amount, the whole remaining amount would be
 * refunded.
 */
export const notNullable: ReadonlySet<string> = new Set(["Charge.valueToReverse", "Transaction.valueToReverse"])

/** Filters by identifiers of entities. A client that sends such a filter empty expects no results. */
export const namesEntities = /(?:Ids|^documents|^emails)$/u

/**
 * Other names of fields that clients of the family use, by `Entity.field`. The field's own name wins if both are
 * present.
 */
export const otherNames: { readonly [field: string]: string } = {
  "Subscription.payday": "firstPayDayDate"
}

/** Names of fields that change an amount, a day, or if a payment is charged at all. */
const importantNames = /^value|^(?:fine|interest)$|[pP]ay[dD]ay|Date$|(?:From|To)$|^payedOutside/u

const paidOutside = /^pa\w{1,4}outside/iu

/**
 * The known keys that an unknown key must not resemble. For a list they are all filters, because an ignored filter
 * lists everything.
 */
export const guardedNames = (known: Iterable<string>, isNarrowing: boolean): ReadonlyArray<string> =>
  [...known].filter((name) => isNarrowing || importantNames.test(name))

/** Returns the guarded name that is most similar to an unknown key. */
export const similarName = (key: string, guarded: ReadonlyArray<string>): string | undefined =>
  guarded.find(
    (name) =>
      (paidOutside.test(key) && paidOutside.test(name)) ||
      // In a short name of four letters, two edits change half the word.
      isWithin(key.toLowerCase(), name.toLowerCase(), name.length > 4 ? 2 : 1)
  )

/** True if at most `edits` insertions, deletions or replacements turn `key` into `name` (Levenshtein distance). */
export const isWithin = (key: string, name: string, edits: number): boolean => {
  if (Math.abs(key.length - name.length) > edits) return false
  let row = Array.from({ length: name.length + 1 }, (_, position) => position)
  for (let i = 0; i < key.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < name.length; j++) {
      // Each row has one number per prefix of the name.
      const replaced = row[j]! + (key[i] === name[j] ? 0 : 1)
      // `next` and `row` have an item at each index up to `j`, and `row` also at `j + 1`.
      next.push(Math.min(replaced, next[j]! + 1, row[j + 1]! + 1))
    }
    row = next
  }
  // The last item of a row is for the whole name.
  return row[name.length]! <= edits
}

const contractSettings =
  "a payment uses the settings of its subscription or charge: set this there, in PaymentMethodBoleto or PaymentMethodPix"
const methodSettings = "belongs in PaymentMethodBoleto or PaymentMethodPix"

/**
 * Unknown fields, by `Entity.field`, that concern money or the charged card. Ignoring such a field would lose payments
 * or charge another card, so the request is refused.
 */
export const misplacedFields: { readonly [field: string]: string } = {
  "Subscription.Transactions":
    "a manual subscription has no Transactions: add payments with POST /transactions/{subscriptionId}/{typeId}/add",
  "Card.hash":
    "card hashes made in a browser are not accepted: send number, holder, expiresAt and cvv, or the svcPayId or myId of a " +
    "card of the customer",
  "Transaction.PaymentMethodBoleto": contractSettings,
  "Transaction.PaymentMethodPix": contractSettings,
  "Transaction.fine": contractSettings,
  "Transaction.interest": contractSettings,
  "Transaction.Discount": contractSettings,
  "Subscription.fine": methodSettings,
  "Subscription.interest": methodSettings,
  "Subscription.Discount": methodSettings,
  "Charge.fine": methodSettings,
  "Charge.interest": methodSettings,
  "Charge.Discount": methodSettings
}
