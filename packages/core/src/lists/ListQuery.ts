/**
 * The codec of a list's query parameters, and the selection that a query makes. Both are derived from the definition of
 * the list.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { described } from "../values/Fields.ts"
import { LocalDate, addDays } from "../time/LocalDate.ts"
import {
  type ListDefinition,
  maxItems,
  maxStartAt,
  type OrderTerm,
  type QueryOf,
  type ListFilter,
  type FilterOf,
  type PageOf,
  type DaySpan,
  type TimeSpan
} from "./ListDefinition.ts"
import type * as DateTime from "effect/DateTime"
import { startOfDay } from "../time/Instant.ts"

/**
 * Decodes query parameters, each present at most once, as text.
 *
 * @category models
 * @since 0.1.0
 */
export type ListQueryCodec<D extends ListDefinition> = Schema.Codec<
  QueryOf<D>,
  { readonly [parameter: string]: string }
>

/**
 * Creates the codec for the query of a list.
 *
 * @category constructors
 * @since 0.1.0
 */
export const listQuery = <const D extends ListDefinition>(definition: D): ListQueryCodec<D> =>
  Schema.Struct({
    startAt: wholeNumber(0, maxStartAt, "Number of rows to skip"),
    limit: pageLimit(maxItems),
    ...Object.fromEntries(
      Object.entries(definition.filters).flatMap(([name, filter]) => Object.entries(fieldsOf(name, filter)))
    ),
    order: order(definition.orders)
    // The keys come from the definition, which the compiler reads as QueryOf and not as the fields of a struct.
  }) as unknown as ListQueryCodec<D>

const fieldsOf = (name: string, filter: ListFilter): Schema.Struct.Fields => {
  if (filter.kind === "values") return { [name]: joined(textOf(filter.value), filter.description) }
  return {
    [`${name}From`]: day(`First ${filter.description}`),
    [`${name}To`]: day(`Last ${filter.description}, included`)
  }
}

const expected = `at most ${maxItems} values joined by commas`

/** This check runs before the text is split, so that thousands of values are not decoded. */
const fewValues = Schema.makeFilter((text: string) => text.split(",", maxItems + 1).length <= maxItems, {
  expected,
  toJsonSchema: () => [{}, true]
})

/** A comma-separated list as an array. An item cannot contain a comma. */
const joined = <T>(
  item: Schema.ConstraintCodec<T, string>,
  description: string,
  ...checks: ReadonlyArray<SchemaAST.Check<ReadonlyArray<T>>>
) =>
  Schema.optionalKey(
    Schema.String.check(fewValues)
      .annotate({ description: `${description}, joined by commas; at most ${maxItems}` })
      .pipe(
        Schema.decodeTo(
          Schema.Array(item).check(Schema.isMaxLength(maxItems, { expected }), ...checks),
          SchemaTransformation.transform({
            // The array is only read.
            decode: (text) => text.split(",") as ReadonlyArray<string>,
            encode: (items) => items.join(",")
          })
        )
      )
  )

// The digits are checked first, because Number("1e3") and Number("") are numbers too.
const digits = Schema.String.check(Schema.isPattern(/^\d{1,11}$/u, { expected: "a whole number of 1 to 11 digits" }))
const asNumber = SchemaTransformation.transform({
  decode: (text: string) => Number(text),
  encode: (value: number) => String(value)
})

/** A filter value as text. */
const textOf = <T>(value: Schema.ConstraintCodec<T, string | number>): Schema.ConstraintCodec<T, string> =>
  (Schema.toEncoded(value).ast._tag === "Number"
    ? // The condition above checked that it is encoded as a number.
      digits.pipe(Schema.decodeTo(value as Schema.ConstraintCodec<T, number>, asNumber))
    : // All other values are encoded as text.
      value) as Schema.ConstraintCodec<T, string>

const wholeNumber = (minimum: number, maximum: number, description: string) =>
  digits
    .annotate({ description: `${description}: a whole number from ${minimum} to ${maximum}` })
    .pipe(
      Schema.decodeTo(
        Schema.Int.check(
          Schema.isBetween({ minimum, maximum }, { expected: `a whole number from ${minimum} to ${maximum}` })
        ),
        asNumber
      )
    )

/**
 * The `limit` of a list: 1 to `maximum` entities.
 *
 * @category schemas
 * @since 0.1.0
 */
export const pageLimit = (maximum: number) => wholeNumber(1, maximum, "Maximum number")

const order = <Field extends string>(fields: ReadonlyArray<Field>) => {
  const terms = orderTerms(fields)
  const term = Schema.Literals(Object.keys(terms)).pipe(
    Schema.decodeTo(
      Schema.Struct({ field: Schema.Literals(fields), direction: Schema.Literals(["asc", "desc"]) }),
      SchemaTransformation.transform<OrderTerm<Field>, string>({
        // The schema admits only keys of `terms`.
        decode: (word) => terms[word]!,
        encode: ({ direction, field }) => `${field}.${direction}`
        // The compiler cannot evaluate Literals over a type parameter; the type is Field.
      }) as never
    )
  )
  return joined(
    // `Literals` hides the type of the terms from the compiler here too.
    term as unknown as Schema.Codec<OrderTerm<Field>, string>,
    `${fields.join(" or ")}, each once and followed by .asc or .desc`,
    Schema.makeFilter((terms) => new Set(terms.map(({ field }) => field)).size === terms.length, {
      expected: "an order that names each field once"
    })
  )
}

/**
 * All terms of an order by their text form: `createdAt.desc`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const orderTerms = <Field extends string>(
  fields: ReadonlyArray<Field>
): { readonly [written: string]: OrderTerm<Field> } =>
  Object.fromEntries(
    fields.flatMap((field) =>
      (["asc", "desc"] as const).map((direction) => [`${field}.${direction}`, { field, direction }] as const)
    )
  )

const day = (description: string) => described(Schema.optionalKey(LocalDate), `${description}: YYYY-MM-DD, Brazil time`)

/**
 * @category models
 * @since 0.1.0
 */
export interface ListSelection<D extends ListDefinition> {
  readonly filter: FilterOf<D>
  readonly page: PageOf<D>
}

/**
 * Returns a function that converts queries of a list. Days of a query are days in `zone`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const selectionOf = <D extends ListDefinition>(
  definition: D
): ((query: QueryOf<D>, zone: DateTime.TimeZone) => ListSelection<D>) => {
  const filters = new Map(Object.entries(definition.filters).flatMap(([name, filter]) => parametersOf(name, filter)))
  return (query, zone) => {
    // The compiler cannot follow computed names; QueryOf has exactly these keys.
    const parameters = query as { readonly [parameter: string]: unknown }
    const filter: Record<string, unknown> = {}
    // Iterating over the query is faster than over all filters, because a query uses few of them.
    for (const parameter in parameters) {
      const field = filters.get(parameter)
      if (field === undefined || parameters[parameter] === undefined) continue
      const { from, kind, name, to } = field
      // QueryOf defines both ends of a span with this type.
      const span = { from: parameters[from], to: parameters[to] } as DaySpan
      filter[name] = kind === "values" ? parameters[name] : kind === "days" ? span : timesOf(span, zone)
    }
    return {
      // The loop sets each filter by its name and kind.
      filter: filter as FilterOf<D>,
      // The definition also types the query.
      page: { startAt: query.startAt, limit: query.limit, order: query.order ?? [] } as PageOf<D>
    }
  }
}

/** Maps each query parameter of a filter to the filter. A span has two parameters. */
const parametersOf = (name: string, { kind }: ListFilter) => {
  const field = { name, kind, from: `${name}From`, to: `${name}To` }
  return (kind === "values" ? [name] : [field.from, field.to]).map((parameter) => [parameter, field] as const)
}

/** The last representable day, which some clients send to mean "no end". It has no following day. */
const lastDay = LocalDate.make("9999-12-31")

/**
 * The instants from the start of the first day to the end of the last day in a zone.
 *
 * @category conversions
 * @since 0.1.0
 */
export const timesOf = ({ from, to }: DaySpan, zone: DateTime.TimeZone): TimeSpan => ({
  from: from === undefined ? undefined : startOfDay(from, zone),
  before: to === undefined || to === lastDay ? undefined : startOfDay(addDays(to, 1), zone)
})
