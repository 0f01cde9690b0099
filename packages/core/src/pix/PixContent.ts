/**
 * The content of a static or dynamic Pix QR code, in ASCII.
 *
 * Source: Banco Central do Brasil, Manual do BR Code and Manual de Padrões para Iniciação do Pix.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { StaticTxid } from "./PixIdentifiers.ts"

const word = /^[!-~]{1,77}$/u
const plain = (maximum: number) => new RegExp(`^[!-~]([ -~]{0,${maximum - 2}}[!-~])?$`, "u")

const merchant = {
  merchantName: Schema.String.check(Schema.isPattern(plain(25), { expected: "a name of 1 to 25 plain characters" })),
  merchantCity: Schema.String.check(Schema.isPattern(plain(15), { expected: "a city of 1 to 15 plain characters" }))
}

/**
 * The content of a static code, which can be paid many times. Without `amount` the payer enters the amount; without
 * `txid` the code contains `***`. Key and description have at most 73 characters together.
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
  // Their common object has 99 characters; the Pix identifier and the lengths take 26.
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
 * The content of a dynamic code: the location of the charge. The charge, not the code, contains amount, due date and
 * txid.
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
 * Converts a text to the characters of a code: removes accents, writes dashes as `-`, drops other characters, and cuts
 * to `maximum` characters.
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
