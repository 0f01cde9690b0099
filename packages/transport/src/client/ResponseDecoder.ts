/**
 * Responses as a client reads them: what the contract says that the service writes, read by core's lenient reader, with
 * the few keys that a caller cannot do without.
 *
 * **Details**
 *
 * - Of what was written or listed, the identifier and the status are needed. Everything else is there when it can be
 *   read; what is odd is left out and reported to `onResponse`, so that no placeholder makes a write that was done look
 *   as if it were not.
 * - An entity is read with all keys that one can have, wherever it stands: services send more than is documented there.
 * - A secret is needed, and redacted from the line that reads it.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { type Decoded, type Decoder, decoder, Incomplete } from "@parcela/core/json/Reading"
import { described } from "@parcela/core/values/Described"
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
 * The keys inside entities that hold an entity, and the entity with all that it can have.
 *
 * @category schemas
 * @since 0.1.0
 */
export const nestedEntities = { Card }

/**
 * The keys of a response that hold an entity, and the entity with all that it can have. Inside of it, only those of
 * `nestedEntities` do: a transaction is in its subscription, which is in its transaction.
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
 * What identifies an item of a response: an entity of a company by its number, what the service offers (brands) by a word.
 *
 * @category constants
 * @since 0.1.0
 */
export const identifierKeys = ["svcPayId", "id"] as const

/**
 * What of an entity at the top of a response is needed, where the entity has it.
 *
 * @category constants
 * @since 0.1.0
 */
export const neededOfEntity = [...identifierKeys, "status"] as const

/**
 * The keys of a response that hold a secret.
 *
 * @category constants
 * @since 0.1.0
 */
export const secretKeys = ["access_token", "confirmHash"] as const

/** A schema as it lies open: a struct has fields, a list a value, an optional key the schema of its value. */
interface Open {
  readonly ast: Schema.Top["ast"]
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly value?: Schema.Top
  readonly schema?: Schema.Top
}

const isSecret = (key: string): boolean => secretKeys.some((secret) => secret === key)

/**
 * The schema that a response is read with: entities with all that they can have, and secrets redacted unless they are
 * to be `plain`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const responseSchema = (written: Schema.Top, plain = false): Schema.Top => widened(written, { plain, entities })

interface Widening {
  readonly plain: boolean
  /** The keys that hold an entity here. */
  readonly entities: { readonly [key: string]: Schema.Top }
}

const widened = (written: Schema.Top, options: Widening): Schema.Top => {
  const { ast, fields, schema, value }: Open = written
  // What the schema transforms is read as a whole.
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
 * The keys that a response has to have.
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
 * Reads a response leniently.
 *
 * @category decoders
 * @since 0.1.0
 */
export const lenient = (written: Schema.Top, plain = false): Decoder<unknown> => {
  const schema = responseSchema(written, plain)
  // The derived schemas have no static type: that the types are those of the contract is what the test of types proves.
  return decoder(schema as Schema.Codec<object>, neededOf(schema) as never)
}

/**
 * Reads a response of ours alone as it is written; unknown keys are ignored.
 *
 * @category decoders
 * @since 0.1.0
 */
export const strict = (written: Schema.Top): Decoder<unknown> => {
  // No schema of a contract needs a service to be decoded.
  const decode = Schema.decodeUnknownResult(written as Schema.Codec<unknown>)
  return (json) =>
    Result.mapBoth(decode(json), {
      onSuccess: (value): Decoded<unknown> => ({ value, unread: [] }),
      onFailure: ({ issue }) => new Incomplete({ missing: Object.keys(detailsOf(issue, "Response")), unread: [] })
    })
}
