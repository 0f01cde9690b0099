/**
 * Decodes responses leniently by the contract, with a few required keys.
 *
 * **Details**
 *
 * - Identifier and status are required of an entity that was written or listed. Every other field is optional: invalid
 * values are left out and reported to `onResponse`, so that a completed write never looks like a failure.
 * - An entity is decoded with all keys of its type, in any position, because services send more than their
 * documentation.
 * - Secrets are required, and redacted during decoding.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { type Decoded, type Decoder, decoder, MissingKeys } from "@parcela/core/json/LenientDecoder"
import { described } from "@parcela/core/values/Fields"
import { Card } from "@parcela/core/cards/Card"
import * as ChargeEntity from "@parcela/core/charges/Charge"
import * as SubscriptionEntity from "@parcela/core/subscriptions/Subscription"
import { ListedTransaction } from "@parcela/core/transactions/ListedTransaction"
import * as TransactionEntity from "@parcela/core/transactions/Transaction"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const Transaction = ListedTransaction.annotate({
  identifier: "Transaction",
  description: "A payment, with all its data."
})
const Transactions = Schema.Array(Transaction)
const Payments = Schema.Array(TransactionEntity.Transaction.annotate({ identifier: "TransactionOfSubscription" }))
const Charge = Schema.Struct({
  ...ChargeEntity.Charge.fields,
  Transactions: described(Payments, "The payments of the charge.")
}).annotate({ identifier: "Charge", description: "A one-off charge, with its payments." })
const Subscription = Schema.Struct({
  ...SubscriptionEntity.Subscription.fields,
  Transactions: described(Payments, "The payments of the subscription.")
}).annotate({
  identifier: "Subscription",
  description: "A subscription, also called a contract, with its payments."
})

/**
 * Keys of nested entities, with the full schema of each entity.
 *
 * @category schemas
 * @since 0.1.0
 */
export const nestedEntities = { Card }

/**
 * Keys of a response that contain an entity, with its full schema. Inside these entities only the keys of
 * `nestedEntities` count: a transaction contains its subscription, which would contain the transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const entities = {
  ...nestedEntities,
  Transaction,
  Transactions,
  Charge,
  Charges: Schema.Array(Charge),
  Subscription,
  Subscriptions: Schema.Array(Subscription)
}

/**
 * The keys that identify an item of a response: a company's entities have a number, the service's own (brands) a word.
 *
 * @category constants
 * @since 0.1.0
 */
export const identifierKeys = ["svcPayId", "id"] as const

/**
 * The required keys of an entity at the top of a response, if its type has them.
 *
 * @category constants
 * @since 0.1.0
 */
export const neededOfEntity = [...identifierKeys, "status"] as const

/**
 * The keys of a response that contain a secret.
 *
 * @category constants
 * @since 0.1.0
 */
export const secretKeys = ["access_token", "confirmHash"] as const

/** A schema with its parts: a struct has fields, a list a value, an optional key the schema of its value. */
interface Open {
  readonly ast: Schema.Top["ast"]
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly value?: Schema.Top
  readonly schema?: Schema.Top
}

const isSecret = (key: string): boolean => secretKeys.some((secret) => secret === key)

/**
 * Returns the schema that decodes a response: with full entities, and redacted secrets unless `plain` is true.
 *
 * @category schemas
 * @since 0.1.0
 */
export const responseSchema = (written: Schema.Top, plain = false): Schema.Top => widened(written, { plain, entities })

interface Widening {
  readonly plain: boolean
  /** The keys that contain an entity at this level. */
  readonly entities: { readonly [key: string]: Schema.Top }
}

const widened = (written: Schema.Top, options: Widening): Schema.Top => {
  const { ast, fields, schema, value }: Open = written
  // A schema with a transformation is decoded as a whole.
  if (ast.encoding !== undefined) return written
  if (fields !== undefined) {
    const read = Object.entries(fields).map(([key, field]) => {
      const description = field.ast.context?.annotations?.["description"]
      const schema = fieldSchema(key, field, options)
      return [key, typeof description === "string" ? schema.annotateKey({ description }) : schema] as const
    })
    return Schema.Struct(Object.fromEntries(read)).annotate(ast.annotations ?? {})
  }
  if (value !== undefined && ast._tag === "Arrays") return Schema.Array(widened(value, options))
  return schema === undefined ? written : widened(schema, options)
}

const fieldSchema = (key: string, field: Schema.Top, { entities, plain }: Widening): Schema.Top => {
  const entity = Object.hasOwn(entities, key) ? entities[key] : undefined
  if (entity !== undefined) return widened(entity, { plain, entities: nestedEntities })
  if (isSecret(key)) {
    return plain ? Schema.NonEmptyString : Schema.RedactedFromValue(Schema.NonEmptyString, { label: key })
  }
  return widened(field, { plain, entities })
}

type NeededKeys = { readonly [key: string]: true | NeededKeys }

/**
 * Returns the required keys of a response.
 *
 * @category getters
 * @since 0.1.0
 */
export const neededOf = (response: Schema.Top): NeededKeys => {
  const { fields = {} }: Open = response
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]): ReadonlyArray<readonly [string, true | NeededKeys]> => {
      if (isSecret(key)) return [[key, true]]
      const { fields: own = {} }: Open = itemOf(field)
      const needed = neededOfEntity.filter((name) => own[name] !== undefined && !isOptional(own[name]))
      return identifierKeys.some((name) => needed.includes(name))
        ? [[key, Object.fromEntries(needed.map((name) => [name, true as const]))]]
        : []
    })
  )
}

const itemOf = (field: Schema.Top): Schema.Top => {
  const { ast, value }: Open = field
  return ast._tag === "Arrays" && value !== undefined ? value : field
}

const isOptional = (field: Schema.Top): boolean => field.ast.context?.isOptional === true

/**
 * Returns the lenient decoder of a response.
 *
 * @category decoders
 * @since 0.1.0
 */
export const lenient = (written: Schema.Top, plain = false): Decoder<unknown> => {
  const schema = responseSchema(written, plain)
  // The derived schemas have no static type. A type test proves that their types are those of the contract.
  return decoder(schema as Schema.Codec<object>, neededOf(schema) as never)
}

/**
 * Returns the strict decoder for responses that only our server writes. Unknown keys are ignored.
 *
 * @category decoders
 * @since 0.1.0
 */
export const strict = (written: Schema.Top): Decoder<unknown> => {
  // Schemas of a contract need no services.
  const decode = Schema.decodeUnknownResult(written as Schema.Codec<unknown>)
  return (json) =>
    Result.mapBoth(decode(json), {
      onSuccess: (value): Decoded<unknown> => ({ value, undecoded: [] }),
      onFailure: ({ issue }) => new MissingKeys({ missing: Object.keys(detailsOf(issue, "Response")), undecoded: [] })
    })
}
