/**
 * A company that uses the service, and the payee in its Pix codes and boletos. Every row, credential and query belongs
 * to one company.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MachineTime } from "../time/Instant.ts"
import { Scope } from "./Scope.ts"
import { nonEmptyString } from "../values/Text.ts"
import { cnpjCheckDigits, DocumentAlphanumeric } from "../customers/Document.ts"
import { plainText } from "../pix/PixContent.ts"

/**
 * The number of a company: positive, assigned by the store.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("CompanyId"))

/**
 * @category models
 * @since 0.1.0
 */
export type CompanyId = typeof CompanyId.Type

/** The text must not be empty after accents and characters outside ASCII are removed, as in a Pix code. */
const hasPlainText = Schema.makeFilter((text: string) => plainText(text, Infinity) !== "", {
  expected: "a text with letters or digits of the Latin alphabet"
})

const CompanyDocument = DocumentAlphanumeric.check(
  Schema.makeFilter((document: string) => document.length === 14, { expected: "a CNPJ: 14 characters" })
)

/**
 * The payee's name, CNPJ and city. A Pix code contains at most 25 characters of the name and 15 of the city.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Payee = Schema.Struct({
  legalName: nonEmptyString(255).check(hasPlainText),
  document: CompanyDocument,
  city: nonEmptyString(255).check(hasPlainText)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Payee = typeof Payee.Type

/**
 * The stored company. Its credentials, webhook secrets and endpoints are stored separately (see the engine's
 * `Secrets`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyState = Schema.Struct({
  id: CompanyId,
  name: nonEmptyString(255),
  /** `legalName`, `document` and `city` have defaults: see `payeeOf`. */
  legalName: Schema.optionalKey(Payee.fields.legalName),
  document: Schema.optionalKey(Payee.fields.document),
  city: Schema.optionalKey(Payee.fields.city),
  scopes: Schema.Array(Scope),
  /** Addresses from which the company's tokens are accepted. An empty list accepts any address. */
  allowedAddresses: Schema.Array(Schema.String),
  createdAt: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CompanyState = typeof CompanyState.Type

/** The stored fields of a company from which the payee is derived. */
interface PayeeSource extends Partial<Payee> {
  readonly id: number
  readonly name: string
}

/** The Receita Federal does not issue roots from this number on. */
const firstRoot = 99_000_000

const roots = 1_000_000

/** A valid CNPJ derived from the number of a company. */
const documentOf = (id: number): Payee["document"] => {
  const base = `${firstRoot + (id % roots)}0001`
  return CompanyDocument.make(`${base}${cnpjCheckDigits(base)}`)
}

/**
 * The payee of a company. Defaults: the company's name as legal name, a generated CNPJ, and the city São Paulo.
 *
 * @category getters
 * @since 0.1.0
 */
export const payeeOf = ({ city = "São Paulo", document, id, legalName, name }: PayeeSource): Payee => ({
  legalName: legalName ?? (plainText(name, Infinity) === "" ? `Company ${id}` : name),
  document: document ?? documentOf(id),
  city
})

/**
 * The payee's name and city as a Pix code contains them.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixMerchantOf = ({ city, legalName }: Payee) => ({
  merchantName: plainText(legalName, 25),
  merchantCity: plainText(city, 15)
})
