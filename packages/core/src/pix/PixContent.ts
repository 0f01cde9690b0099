/**
 * What a Pix QR code says, static or dynamic, in plain ASCII as the code carries it.
 *
 * Source: Banco Central do Brasil, Manual do BR Code and Manual de Padrões para Iniciação do Pix.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { StaticTxid } from "./PixTxid.ts"

const word = /^[!-~]{1,77}$/u
const plain = (maximum: number) => new RegExp(`^[!-~]([ -~]{0,${maximum - 2}}[!-~])?$`, "u")

const merchant = {
  merchantName: Schema.String.check(Schema.isPattern(plain(25), { expected: "a name of 1 to 25 plain characters" })),
  merchantCity: Schema.String.check(Schema.isPattern(plain(15), { expected: "a city of 1 to 15 plain characters" }))
}

/**
 * What a static code says: it can be paid many times. Without `amount` the payer fills it in; without `txid` the code
 * carries `***`. Key and description together have at most 73 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixStatic = Schema.TaggedStruct("PixStatic", {
  key: Schema.String.check(Schema.isPattern(word, { expected: "a Pix key of 1 to 77 characters" })),
  description: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(plain(72), { expected: "1 to 72 plain characters" }))
  ),
  amount: Schema.optionalKey(Cents.check(Schema.isGreaterThan(0, { expected: "an amount above zero" }))),
  ...merchant,
  txid: Schema.optionalKey(StaticTxid)
}).check(
  // The object they share holds 99, of which 26 go to the Pix identifier and the lengths.
  Schema.makeFilter(({ description, key }) => description === undefined || key.length + description.length <= 73, {
    expected: "a key and a description that have at most 73 characters together",
    toJsonSchema: () => [{}, true]
  })
)

/**
 * @category models
 * @since 0.1.0
 */
export type PixStatic = typeof PixStatic.Type

/**
 * What a dynamic code says: where the charge lies. Amount, due date and txid are there and not in the code.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixDynamic = Schema.TaggedStruct("PixDynamic", {
  location: Schema.String.check(
    Schema.isPattern(word, { expected: "an address of 1 to 77 characters" }),
    Schema.makeFilter((text: string) => !text.includes("//"), {
      expected: "an address without https://",
      toJsonSchema: () => [{}, true]
    })
  ),
  ...merchant
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixDynamic = typeof PixDynamic.Type

/**
 * A text as a code can carry it: accents taken off, dashes made `-`, other characters dropped, cut to `maximum`
 * characters.
 *
 * @category conversions
 * @since 0.1.0
 */
export const plainText = (text: string, maximum: number): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Pd}/gu, "-")
    .replace(/\u2044/g, "/")
    .replace(/\s/g, " ")
    .replace(/[^ -~]/g, "")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, maximum)
    .trimEnd()
