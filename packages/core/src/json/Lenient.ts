/**
 * The type of an entity in a leniently decoded response.
 *
 * @since 0.1.0
 */
import type * as Brand from "effect/Brand"
import type * as Redacted from "effect/Redacted"

/**
 * The entity with optional fields, without null, with open enums and without brands, because limits are not checked.
 *
 * @category models
 * @since 0.1.0
 */
export type Lenient<T> =
  T extends Redacted.Redacted<infer Secret>
    ? Redacted.Redacted<Secret>
    : T extends Brand.Brand<string>
      ? Brand.Brand.Unbranded<T>
      : T extends string
        ? string extends T
          ? string
          : T | (string & {})
        : T extends number
          ? number
          : T extends boolean
            ? boolean
            : T extends ReadonlyArray<infer Item>
              ? ReadonlyArray<Lenient<Item>>
              : T extends object
                ? { readonly [Key in keyof T]?: Lenient<Exclude<T[Key], null | undefined>> }
                : T
