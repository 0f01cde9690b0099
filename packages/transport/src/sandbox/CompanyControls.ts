/**
 * Controls of the sandbox's companies.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { Payee } from "@parcela/core/companies/CompanyState"
import { Scope } from "@parcela/core/companies/Scope"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as NetAddress from "effect/net/NetAddress"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { ClientId, company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Id, PageSize, Instant } from "./Control.ts"

const isAddress = (text: string): boolean => Result.isSuccess(NetAddress.ipFromString(text))

/** Returns an address as connections have it: an IPv4 address inside an IPv6 address becomes the IPv4 address. */
const canonicalAddress = (text: string): string =>
  Result.match(NetAddress.ipFromString(text), {
    onFailure: () => text,
    onSuccess: (address) => NetAddress.formatIp(address).replace(/^::ffff:(?=\d+\.)/, "")
  })

/** An address that a company's requests may come from. */
const AllowedAddress = Schema.String.check(
  Schema.makeFilter(isAddress, {
    expected: "an IPv4 or IPv6 address without a port; ranges such as 10.0.0.0/8 are not supported"
  })
).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: canonicalAddress, encode: (text) => text }))
)

/**
 * The company's identity on boletos, Pix pages and Pix codes.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Identity = Schema.Struct({
  legalName: described(
    Schema.optionalKey(Payee.fields.legalName),
    "Printed on boletos and Pix codes; default: the name."
  ),
  document: described(Schema.optionalKey(Payee.fields.document), "CNPJ on boletos; default: an invented one."),
  city: described(Schema.optionalKey(Payee.fields.city), "City on Pix codes; default: São Paulo.")
})

/**
 * The editable fields of a company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyEdit = Schema.Struct({ name: Schema.optionalKey(nonEmptyString(255)), ...Identity.fields })

/**
 * A company as its payers see it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyDetails = Schema.Struct({
  companyId: Id,
  clientId: Schema.String,
  name: Schema.String,
  legalName: described(Schema.String, "Printed on boletos, Pix pages and Pix codes."),
  document: described(Schema.String, "CNPJ on boletos and Pix pages."),
  city: described(Schema.String, "On Pix codes.")
})

/**
 * A new company; omitted fields are generated.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NewCompany = Schema.Struct({
  name: described(Schema.optionalKey(nonEmptyString(255)), "The client id when absent."),
  clientId: described(
    Schema.optionalKey(
      // HTTP Basic ends a user name at the first colon (RFC 7617, section 2).
      ClientId.check(Schema.isPattern(/^[^:]*$/u, { expected: "text without a colon" }))
    ),
    "Unique in the sandbox."
  ),
  clientSecret: Schema.optionalKey(nonEmptyString(255)),
  ...Identity.fields,
  scopes: described(
    Schema.optionalKey(Schema.Array(Scope).check(Schema.isMaxLength(100, { expected: "at most 100 scopes" }))),
    "Scopes that the company's tokens may have; default: all."
  ),
  allowedAddresses: described(
    Schema.optionalKey(
      Schema.Array(AllowedAddress).check(Schema.isMaxLength(100, { expected: "at most 100 addresses" }))
    ),
    "Addresses from which requests are accepted; by default, and if empty, all."
  )
})

const Secret = Schema.RedactedFromValue(Schema.String)

/**
 * The data with which an integrator calls the sandbox as a company and verifies its deliveries.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyKeys = Schema.Struct({
  companyId: Id,
  clientId: Schema.String,
  confirmHash: described(Secret, "Body of each delivery."),
  webhookSecret: described(Secret, "The newest signing secret of the default endpoint, whsec_..")
})

/** A company with the keys of its deliveries. */
const FoundCompany = Schema.Struct({ ...CompanyDetails.fields, ...CompanyKeys.fields })

/**
 * A new company's keys with the secret for `POST /token`, which is returned once.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreatedCompany = Schema.Struct({ ...CompanyKeys.fields, clientSecret: Secret })

/**
 * A company of a list.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedCompany = Schema.Struct({
  companyId: Id,
  clientId: Schema.String,
  name: Schema.String,
  createdAt: Instant
})

const keys = {
  companyId: 2,
  clientId: "suite-7",
  confirmHash: "6f1c0a5e3b7d4c2f9a8e1d6b5c4f3a2e",
  webhookSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
}

const identity = {
  name: "Suite 7",
  legalName: "Padaria Sete Ltda",
  document: "11444777000161",
  city: "Recife"
}

/**
 * @category groups
 * @since 0.1.0
 */
export class CompaniesGroup extends HttpApiGroup.make("companies")
  .add(
    HttpApiEndpoint.get("list", "/companies", {
      query: Schema.Struct({
        after: described(Schema.optionalKey(ClientId), "Only client ids after this one: next of the previous page."),
        limit: described(Schema.optionalKey(PageSize), "100 when absent.")
      }),
      success: Schema.Struct({
        companies: Schema.Array(ListedCompany),
        next: described(Schema.NullOr(Schema.String), "Value of after for the next page; null on the last page.")
      }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listCompanies",
        summary: "List companies",
        description: "Returns one page of companies in the order of their client ids.",
        examples: {
          response: {
            companies: [
              { companyId: 1, clientId: "sandbox", name: "Sandbox", createdAt: "2026-11-22T10:00:00.000Z" },
              { companyId: 2, clientId: "suite-7", name: "Suite 7", createdAt: "2026-11-22T10:05:00.000Z" }
            ],
            next: null
          }
        }
      })
    ),
    HttpApiEndpoint.post("create", "/companies", {
      payload: NewCompany,
      success: CreatedCompany,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "createCompany",
        summary: "Create a company",
        description:
          "Creates a company with its own credentials. Give each test suite its own company, so that concurrent suites share no data.",
        examples: {
          request: { name: "Suite 7", clientId: "suite-7" },
          response: { ...keys, clientSecret: "kept by the client" }
        }
      })
    ),
    HttpApiEndpoint.get("find", company, { params: ofCompany, success: FoundCompany, error: errors }).annotateMerge(
      documented({
        operationId: "findCompany",
        summary: "Show a company",
        description:
          "Returns the company as its payers see it, its confirmHash and the newest signing secret of its default endpoint, but not its client secret.",
        examples: { response: { ...keys, ...identity } }
      })
    ),
    HttpApiEndpoint.patch("edit", company, {
      params: ofCompany,
      payload: CompanyEdit,
      success: CompanyDetails,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "editCompany",
        summary: "Edit a company",
        description:
          "Changes the fields that are present. Boletos and Pix pages show the changes at once; existing Pix codes do not change.",
        examples: {
          request: { legalName: identity.legalName, document: identity.document, city: identity.city },
          response: { companyId: keys.companyId, clientId: keys.clientId, ...identity }
        }
      })
    )
  )
  .annotate(FaultEntity, "Company")
  .annotateMerge(OpenApi.annotations({ title: "Companies", description: "Tenants of the sandbox." })) {}
