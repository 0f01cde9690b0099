/**
 * The Pix BR Code: the text in a Pix QR code, which payers can also paste ("Pix copia e cola").
 *
 * Source: Banco Central do Brasil, Manual do BR Code and Manual de Padrões para Iniciação do Pix, based on EMV QRCPS
 * (MPM).
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { derivedText } from "../values/Text.ts"
import { PixDynamic, PixStatic, plainText } from "./PixContent.ts"
import { StaticTxid } from "./PixIdentifiers.ts"

const gui = "br.gov.bcb.pix"
const isName = Schema.is(PixStatic.fields.merchantName)
const isCity = Schema.is(PixStatic.fields.merchantCity)

/**
 * A BR Code that {@link parse} accepts, of at most 255 characters (`qrCode`, interface section 2.6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixBrCode = derivedText({
  pattern: /^000201[ -~]*6304[0-9A-F]{4}$/u,
  seed: Schema.Union([PixStatic, PixDynamic]),
  derive: (content) => write(content)
})
  .check(
    Schema.isMaxLength(255, { expected: "at most 255 characters" }),
    Schema.makeFilter(
      (text: string) => Result.match(parse(text), { onFailure: (e) => e.message, onSuccess: () => true }),
      {
        toJsonSchema: () => [{}, true]
      }
    )
  )
  .pipe(Schema.brand("PixBrCode"))

/**
 * @category models
 * @since 0.1.0
 */
export type PixBrCode = typeof PixBrCode.Type

/**
 * A part does not fit into the BR Code.
 *
 * @category errors
 * @since 0.1.0
 */
export class PixPartError extends Schema.TaggedError<PixPartError>()("PixPartError", {
  part: Schema.Literals(["merchantName", "merchantCity", "location", "key", "description", "amount", "txid", "account"])
}) {
  override get message() {
    return `Cannot make a Pix code: ${misfits[this.part]}`
  }
}

const misfits = {
  key: "the key has 1 to 77 characters, without spaces or accents",
  description: "the description has 1 to 72 characters once accents are taken off",
  account: "key and description have at most 73 characters together",
  amount: "the amount is above zero and fits into 11 digits; leave it out to let the payer choose",
  merchantName: "the merchant's name has 1 to 25 characters once accents are taken off",
  merchantCity: "the merchant's city has 1 to 15 characters once accents are taken off",
  txid: "the txid has 1 to 25 letters and digits",
  location: "the location has 1 to 77 characters, without spaces and without https://"
} as const

/**
 * The text is not a Pix BR Code. `check` is the first rule that it breaks.
 *
 * @category errors
 * @since 0.1.0
 */
export class PixBrCodeError extends Schema.TaggedError<PixBrCodeError>()("PixBrCodeError", {
  check: Schema.Literals([
    "crc",
    "characters",
    "structure",
    "account",
    "currency",
    "country",
    "amount",
    "merchant",
    "txid"
  ])
}) {
  override get message() {
    return `Not a Pix code: ${refusals[this.check]}`
  }
}

const refusals = {
  crc: "its last four characters do not match the rest, so it is incomplete or changed",
  characters: "it has characters other than plain letters, digits and signs",
  structure: "its objects are not in the EMV format, or are repeated, or lack 00 first or 63 last",
  account: "it names not exactly one Pix key or one location",
  currency: "its currency is not 986 (real)",
  country: "its country is not BR",
  amount: "its amount is no sum of money",
  merchant: "it lacks the merchant's name (at most 25 characters), city (15) or category",
  txid: "its txid is neither *** nor 1 to 25 letters and digits"
} as const

/**
 * Builds a BR Code. Accents are removed from name, city and description. Texts that are too long are refused, not cut;
 * to cut them, use `plainText`. The longest possible code has 235 characters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const build = (content: PixStatic | PixDynamic): Result.Result<PixBrCode, PixPartError> => {
  const plain = inAscii(content)
  const part = misfit(plain)
  return part === undefined ? Result.succeed(PixBrCode.make(write(plain))) : Result.fail(new PixPartError({ part }))
}

/**
 * Parses a BR Code with its objects in any order. An amount of zero means no amount. Templates of other payment systems
 * and the location of a recurring Pix (templates 80 to 99) are ignored.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Result.Result<PixStatic | PixDynamic, PixBrCodeError> => {
  const fail = (check: PixBrCodeError["check"]) => Result.fail(new PixBrCodeError({ check }))
  if (!/6304[0-9A-F]{4}$/.test(text) || crc16(text.slice(0, -4)) !== text.slice(-4)) return fail("crc")
  if (!/^[ -~]*$/.test(text)) return fail("characters")
  const objects = readObjects(text)
  if (objects === undefined || !text.startsWith("000201") || [...objects.keys()].at(-1) !== "63") {
    return fail("structure")
  }
  const account = pixAccount(objects)
  const additional = readObjects(objects.get("62") ?? "")
  if (account === undefined) return fail("account")
  if (additional === undefined) return fail("structure")
  if (objects.get("53") !== "986") return fail("currency")
  if (objects.get("58") !== "BR") return fail("country")
  const amount = readAmount(objects.get("54") ?? "0")
  if (amount === undefined) return fail("amount")
  const merchantName = objects.get("59") ?? ""
  const merchantCity = objects.get("60") ?? ""
  if (!isName(merchantName) || !isCity(merchantCity) || !/^\d{4}$/.test(objects.get("52") ?? "")) {
    return fail("merchant")
  }
  if (account.location !== undefined) {
    const content = { _tag: "PixDynamic" as const, location: account.location, merchantName, merchantCity }
    return Schema.is(PixDynamic)(content) ? Result.succeed(content) : fail("account")
  }
  const txid = additional.get("05") ?? "***"
  if (txid !== "***" && !Schema.is(StaticTxid)(txid)) return fail("txid")
  const content = {
    _tag: "PixStatic" as const,
    key: account.key ?? "",
    ...(account.description === undefined ? {} : { description: account.description }),
    ...(amount === 0 ? {} : { amount: Cents.make(amount) }),
    merchantName,
    merchantCity,
    ...(txid === "***" ? {} : { txid })
  }
  return Schema.is(PixStatic)(content) ? Result.succeed(content) : fail("account")
}

function write(content: PixStatic | PixDynamic): string {
  const dynamic = content._tag === "PixDynamic"
  const amount = dynamic ? undefined : content.amount
  const txid = dynamic ? undefined : content.txid
  const text = [
    object("00", "01"),
    dynamic ? object("01", "12") : "",
    object("26", accountOf(content)),
    object("52", "0000"),
    object("53", "986"),
    amount === undefined ? "" : object("54", writeAmount(amount)),
    object("58", "BR"),
    object("59", content.merchantName),
    object("60", content.merchantCity),
    object("62", object("05", txid ?? "***")),
    "6304"
  ].join("")
  return text + crc16(text)
}

function accountOf(content: Pick<PixStatic, "_tag" | "key" | "description"> | PixDynamic): string {
  if (content._tag === "PixDynamic") return object("00", gui) + object("25", content.location)
  const description = content.description === undefined ? "" : object("02", content.description)
  return object("00", gui) + object("01", content.key) + description
}

// Ids 26 to 51 are accounts of any payment system. Object 00 identifies the account of Pix.
function pixAccount(objects: ReadonlyMap<string, string>) {
  const accounts = [...objects].filter(([id]) => id >= "26" && id <= "51").map(([, value]) => readObjects(value))
  const pixAccounts = accounts.filter((account) => account?.get("00")?.toLowerCase() === gui)
  const [account] = pixAccounts
  if (account === undefined || pixAccounts.length > 1 || account.has("01") === account.has("25")) return undefined
  return { key: account.get("01"), description: account.get("02"), location: account.get("25") }
}

function writeAmount(amount: Cents): string {
  return `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, "0")}`
}

function readAmount(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text)
  return match === null ? undefined : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"))
}

function inAscii(content: PixStatic | PixDynamic): PixStatic | PixDynamic {
  // ASCII text stays unchanged, so that a parsed code is written identically.
  const ascii = (text: string) => (/^[ -~]*$/.test(text) && text === text.trim() ? text : plainText(text, Infinity))
  const names = { merchantName: ascii(content.merchantName), merchantCity: ascii(content.merchantCity) }
  return content._tag === "PixStatic" && content.description !== undefined
    ? { ...content, ...names, description: ascii(content.description) }
    : { ...content, ...names }
}

function misfit(content: PixStatic | PixDynamic): PixPartError["part"] | undefined {
  return content._tag === "PixStatic" ? firstMisfit(PixStatic, content) : firstMisfit(PixDynamic, content)
}

function firstMisfit<S extends typeof PixStatic | typeof PixDynamic>(schema: S, content: S["Type"]) {
  const fields: Record<string, Schema.Constraint> = schema.fields
  const values: Record<string, unknown> = content
  // `part` is a field of the schema, as `find` checks first.
  const fits = (field: string) => !(field in values) || Schema.is(fields[field]!)(values[field])
  const wrong = PixPartError.fields.part.literals.find((part) => part in fields && !fits(part))
  return wrong ?? (Schema.is(schema)(content) ? undefined : "account")
}

/** Writes one object. The value must have at most 99 characters. */
const object = (id: string, value: string): string => `${id}${String(value.length).padStart(2, "0")}${value}`

/** Reads the objects of a text by id, in order; undefined if a length is invalid or an id is repeated. */
const readObjects = (text: string): ReadonlyMap<string, string> | undefined => {
  const objects = new Map<string, string>()
  for (let at = 0; at < text.length;) {
    const [, id, length] = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4)) ?? []
    if (id === undefined || objects.has(id)) return undefined
    const from = at + 4
    at = from + Number(length)
    if (at > text.length) return undefined
    objects.set(id, text.slice(from, at))
  }
  return objects
}

/**
 * The CRC of a text's UTF-8 bytes as four upper-case hexadecimal digits: `29B1` for `123456789`.
 *
 * @category check digits
 * @since 0.1.0
 */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    }
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}
