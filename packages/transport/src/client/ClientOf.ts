/**
 * The type of a client, computed from the type of its contract. Programs see generated named types
 * (`ParcelaOperations`); a type test proves them equal to these.
 *
 * @since 0.1.0
 */
import type { Lenient } from "@parcela/core/json/LenientValues"
import type * as Brand from "effect/Brand"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { ClientCredentials } from "../Security.ts"
import type { ReadOptions, WriteOptions } from "./ClientOptions.ts"
import type { ReadError, WriteError, WriteWithoutKeyError } from "./ClientError.ts"
import type { Ref } from "./RequestEncoder.ts"
import type { entities, identifierKeys, neededOfEntity, nestedEntities, secretKeys } from "./ResponseDecoder.ts"

/**
 * The decoding of responses; see `DeriveOptions`.
 *
 * @category models
 * @since 0.1.0
 */
export type Reading = "lenient" | "plain" | "strict"

/**
 * The same type without brands, as a caller writes values.
 *
 * @category models
 * @since 0.1.0
 */
export type Plain<T> =
  T extends Brand.Brand<string>
    ? Brand.Brand.Unbranded<T>
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Plain<Item>>
      : T extends object
        ? { readonly [Key in keyof T]: Plain<T[Key]> }
        : T

/**
 * The client of a contract's groups.
 *
 * @category models
 * @since 0.1.0
 */
export type ClientOf<Groups, R extends Reading, Bound extends string = never> = {
  readonly [Group in Groups as GroupName<Group>]: MethodsOf<Operations<Group>, R, Bound>
}

type Operations<Group> =
  HttpApiGroup.Endpoints<Group> extends infer E ? (E extends unknown ? NotOfToken<E> : never) : never

/** Excludes the token operation, which authentication uses internally. */
type NotOfToken<E> = [Extract<HttpApiEndpoint.Middleware<E>, ClientCredentials>] extends [never] ? E : never

type GroupName<Group> = [Operations<Group>] extends [never] ? never : HttpApiGroup.Identifier<Group>

type MethodsOf<E, R extends Reading, Bound extends string> = {
  readonly [Operation in E as HttpApiEndpoint.Identifier<Operation>]: Method<Operation, R, Bound>
} & {
  readonly [
    Operation in E as IsList<Operation> extends true ? `${HttpApiEndpoint.Identifier<Operation>}Pages` : never
  ]: (
    query?: QueryOf<Operation>,
    options?: ReadOptions
  ) => Stream.Stream<ResponseOf<SuccessOf<Operation>, R>, ReadError>
} & {
  readonly [Operation in E as IsList<Operation> extends true ? `${HttpApiEndpoint.Identifier<Operation>}All` : never]: (
    query?: QueryOf<Operation>,
    options?: ReadOptions
  ) => Stream.Stream<ItemOf<ResponseOf<SuccessOf<Operation>, R>>, ReadError>
}

type IsList<E> = [HttpApiEndpoint.Query<E>] extends [never]
  ? false
  : HttpApiEndpoint.Query<E>["Type"] extends { readonly startAt: unknown; readonly limit: unknown }
    ? true
    : false

type ItemOf<Page> = { [Key in keyof Page]-?: Page[Key] extends ReadonlyArray<infer Item> ? Item : never }[keyof Page]

type Method<E, R extends Reading, Bound extends string> = (
  ...args: [...PathArguments<E, Bound>, ...InputArguments<E>, options?: OptionsOf<E>]
) => Effect.Effect<ResponseOf<SuccessOf<E>, R>, ErrorOf<E>>

type IsRead<E> = E extends { readonly method: "GET" } ? true : false

type HasKey<E> = [HttpApiEndpoint.Headers<E>] extends [never]
  ? false
  : "idempotency-key" extends keyof HttpApiEndpoint.Headers<E>["Type"]
    ? true
    : false

type OptionsOf<E> = IsRead<E> extends true ? ReadOptions : HasKey<E> extends true ? WriteOptions : ReadOptions

type ErrorOf<E> = IsRead<E> extends true ? ReadError : HasKey<E> extends true ? WriteError : WriteWithoutKeyError

type PathArguments<E, Bound extends string> = [HttpApiEndpoint.Params<E>] extends [never]
  ? []
  : PathArgument<Omit<HttpApiEndpoint.Params<E>["Type"], Bound>>

type PathArgument<P> = [keyof P] extends [never]
  ? []
  : "typeId" extends keyof P
    ? [ref: Ref]
    : IsUnion<keyof P> extends true
      ? [path: Plain<P>]
      : [id: Plain<P[keyof P]>]

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

type InputArguments<E> = [HttpApiEndpoint.Query<E>] extends [never]
  ? [HttpApiEndpoint.Payload<E>] extends [never]
    ? []
    : Input<BodyOf<HttpApiEndpoint.Payload<E>>>
  : Input<QueryOf<E>>

type Input<T> = {} extends T ? [input?: T] : [input: T]

/** Returns the body's type before the contract wrapped its schema in a codec. */
type BodyOf<Codec> = Codec extends { readonly schema: infer Written extends Schema.Constraint }
  ? Written["Encoded"]
  : never

type QueryOf<E> = WithPageOptional<Plain<HttpApiEndpoint.Query<E>["Type"]>>

type WithPageOptional<Q> = Q extends { readonly startAt: unknown; readonly limit: unknown }
  ? Omit<Q, "startAt" | "limit"> & { readonly startAt?: Q["startAt"]; readonly limit?: Q["limit"] }
  : Q

type SuccessOf<E> = HttpApiEndpoint.Success<E>["Type"]

type Entities = { [Name in keyof typeof entities]: (typeof entities)[Name]["Type"] }

type NestedEntities = { [Name in keyof typeof nestedEntities]: (typeof nestedEntities)[Name]["Type"] }

type SecretKey = (typeof secretKeys)[number]

type ResponseOf<T, R extends Reading> = R extends "strict" ? T : LenientResponse<T, R>

type LenientResponse<T, R extends Reading> = {
  readonly [Key in keyof T as IsNeeded<Key, T[Key]> extends true ? Key : never]: Needed<Field<Key, T[Key], R>>
} & {
  readonly [Key in keyof T as IsNeeded<Key, T[Key]> extends true ? never : Key]?: Field<Key, T[Key], R>
}

type IsNeeded<Key, V> = Key extends SecretKey
  ? true
  : V extends Identified
    ? true
    : V extends ReadonlyArray<Identified>
      ? true
      : false

type Identified = {
  readonly [Key in (typeof identifierKeys)[number]]: { readonly [K in Key]: unknown }
}[(typeof identifierKeys)[number]]

type Needed<V> =
  V extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Needed<Item>>
    : V extends Redacted.Redacted
      ? V
      : V extends object
        ? Omit<V, NeededKey> & {
            readonly [Key in keyof V & NeededKey]-?: Exclude<V[Key], undefined>
          }
        : V

type NeededKey = (typeof neededOfEntity)[number]

type Field<Key, V, R extends Reading> = Key extends SecretKey
  ? R extends "plain"
    ? string
    : Redacted.Redacted
  : Key extends keyof Entities
    ? LenientValue<Entities[Key], R>
    : LenientValue<Exclude<V, null | undefined>, R>

/** Like `Field`, inside a response. */
type NestedField<Key, V, R extends Reading> = Key extends SecretKey
  ? Field<Key, V, R>
  : LenientValue<Key extends keyof NestedEntities ? NestedEntities[Key] : Exclude<V, null | undefined>, R>

/** Like `Lenient` of core, with entities and secrets selected by their keys. */
type LenientValue<T, R extends Reading> =
  T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<LenientValue<Item, R>>
    : T extends Brand.Brand<string> | Redacted.Redacted<unknown>
      ? Lenient<T>
      : T extends object
        ? { readonly [Key in keyof T]?: NestedField<Key, T[Key], R> }
        : Lenient<T>
