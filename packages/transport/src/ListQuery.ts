/**
 * The query of a list. The interface does not show the lists; their filters are decided in
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Described"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionStatus"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { ListParameters } from "./contract/ListParameters.ts"

/** As many entities as one page holds. */
const maximumItems = 100

/** What is passed over is read, so a page further on costs more: this many take about ten milliseconds. */
const maximumStartAt = 100_000

/** A comma-joined list as an array. An item cannot hold a comma itself. */
const list = <T>(item: Schema.Codec<T, string>, description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({ description: `${description}, joined by commas; at most ${maximumItems}` }).pipe(
      Schema.decodeTo(
        Schema.Array(item).check(
          Schema.isMaxLength(maximumItems, { expected: `at most ${maximumItems} values joined by commas` })
        ),
        SchemaTransformation.transform({
          decode: (text) => text.split(",") as ReadonlyArray<string>,
          encode: (items) => items.join(",")
        })
      )
    )
  )

// Number("1e3") and Number("") are numbers: the digits are checked before the value.
const digits = Schema.String.check(Schema.isPattern(/^\d{1,11}$/u, { expected: "a whole number of 1 to 11 digits" }))
const asNumber = SchemaTransformation.transform({
  decode: (text: string) => Number(text),
  encode: (value: number) => String(value)
})

const SvcPayIdFromText = digits.pipe(Schema.decodeTo(SvcPayId, asNumber))

const wholeNumber = (minimum: number, maximum: number, description: string, advice = "") =>
  digits
    .annotate({ description: `${description}: a whole number from ${minimum} to ${maximum}` })
    .pipe(
      Schema.decodeTo(
        Schema.Int.check(
          Schema.isBetween({ minimum, maximum }, { expected: `a whole number from ${minimum} to ${maximum}${advice}` })
        ),
        asNumber
      )
    )

const order = <const Field extends string>(fields: ReadonlyArray<Field>) => {
  type Term = { readonly field: Field; readonly direction: "asc" | "desc" }
  const terms = termsOf(fields)
  const words = Object.keys(terms)
  const term = Schema.Literals(words).pipe(
    Schema.decodeTo(
      Schema.Struct({ field: Schema.Literals(fields), direction: Schema.Literals(["asc", "desc"]) }),
      SchemaTransformation.transform<Term, string>({
        decode: (word) => terms[word]!,
        encode: ({ direction, field }) => `${field}.${direction}`
        // The type of Literals over a type parameter is opaque to the compiler; it is Field.
      }) as never
    )
  )
  return list(term as unknown as Schema.Codec<Term, string>, `${fields.join(" or ")}, each followed by .asc or .desc`)
}

/** Each term that an order may hold, by how it is written: `createdAt.desc`. */
const termsOf = <Field extends string>(fields: ReadonlyArray<Field>) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      (["asc", "desc"] as const).map((direction) => [`${field}.${direction}`, { field, direction }] as const)
    )
  )

const day = (description: string) => described(Schema.optionalKey(LocalDate), `${description}: YYYY-MM-DD, Brazil time`)

const page = {
  startAt: wholeNumber(
    0,
    maximumStartAt,
    "How many to pass over",
    "; narrow the list by days or identifiers to reach what lies beyond"
  ),
  limit: wholeNumber(1, 100, "How many at most")
}

const common = {
  myIds: list(MyId, "Identifiers of the client system"),
  svcPayIds: list(SvcPayIdFromText, "Identifiers of the service"),
  customerMyIds: list(MyId, "Customers by identifier of the client system"),
  customerSvcPayIds: list(SvcPayIdFromText, "Customers by identifier of the service"),
  createdAtFrom: day("First day of creation"),
  createdAtTo: day("Last day of creation, included")
}

/**
 * Which subscriptions, which page of them and in which order.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionQuery = Schema.Struct({
  ...page,
  ...common,
  createdOrUpdatedAtFrom: day("First day of creation or of the last change"),
  createdOrUpdatedAtTo: day("Last day of creation or of the last change, included"),
  status: list(SubscriptionStatus, "Statuses of a subscription"),
  order: order(["createdAt", "updatedAt"])
})

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionQuery = typeof SubscriptionQuery.Type

/**
 * Which transactions, which page of them and in which order.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionQuery = Schema.Struct({
  ...page,
  ...common,
  subscriptionMyIds: list(MyId, "Subscriptions by identifier of the client system"),
  subscriptionSvcPayIds: list(SvcPayIdFromText, "Subscriptions by identifier of the service"),
  payDayFrom: day("First due date"),
  payDayTo: day("Last due date, included"),
  updateStatusFrom: day("First day of the status"),
  updateStatusTo: day("Last day of the status, included"),
  status: list(TransactionStatus, "Statuses of a transaction"),
  order: order(["createdAt", "payday"])
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionQuery = typeof TransactionQuery.Type

const reference = (component: string) => ({ $ref: `#/components/schemas/${component}` })
const identifiers = { type: "integer", minimum: 1, maximum: 99_999_999_999 }
const texts = { type: "string", minLength: 1, maxLength: 255 }
const joined = (items: object) => ({
  style: "form",
  explode: false,
  schema: { type: "array", minItems: 1, maxItems: maximumItems, items }
})

/**
 * How OpenAPI writes the parameters of a list. The schemas above read text, which a generated document shows as
 * plain strings; these say what the text holds.
 */
const parameters = (
  status: "SubscriptionStatus" | "TransactionStatus",
  orderBy: ReadonlyArray<string>
): { readonly [name: string]: object } => ({
  startAt: { schema: { type: "integer", minimum: 0, maximum: maximumStartAt } },
  limit: { schema: { type: "integer", minimum: 1, maximum: 100 } },
  myIds: joined(texts),
  svcPayIds: joined(identifiers),
  customerMyIds: joined(texts),
  customerSvcPayIds: joined(identifiers),
  subscriptionMyIds: joined(texts),
  subscriptionSvcPayIds: joined(identifiers),
  status: joined(reference(status)),
  order: joined({ type: "string", enum: orderBy.flatMap((field) => [`${field}.asc`, `${field}.desc`]) })
})

/**
 * The list of subscriptions.
 *
 * @category lists
 * @since 0.1.0
 */
export const subscriptions: ListParameters<typeof SubscriptionQuery> = {
  query: SubscriptionQuery,
  parameters: parameters("SubscriptionStatus", ["createdAt", "updatedAt"])
}

/**
 * The list of transactions.
 *
 * @category lists
 * @since 0.1.0
 */
export const transactions: ListParameters<typeof TransactionQuery> = {
  query: TransactionQuery,
  parameters: parameters("TransactionStatus", ["createdAt", "payday"])
}
