/**
 * The companies of the sandbox, over HTTP.
 *
 * @since 0.1.0
 */
import { type CompanyState, payeeOf } from "@parcela/core/companies/CompanyState"
import { DocumentsWithLetters } from "@parcela/http/SchemaVariants"
import { Companies, type ListedCompany } from "@parcela/engine/ports/Companies"
import { BadRequest } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import type { CompaniesGroup } from "@parcela/transport/sandbox/CompanyControls"
import type { Operations } from "@parcela/http/Operation"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { keysOf } from "./Company.ts"

const listed = ({ clientId, company: { createdAt, id, name } }: ListedCompany) => ({
  companyId: id,
  clientId,
  name,
  createdAt
})

const detailsOf = (clientId: string, company: CompanyState) => ({
  companyId: company.id,
  clientId,
  name: company.name,
  ...payeeOf(company)
})

const badField = (field: string, problem: string) =>
  new BadRequest({ message: "The request is invalid", details: { [`Company.${field}`]: [problem] } })

/**
 * The validation error of a CNPJ with letters, where the settings do not enable them.
 *
 * @category getters
 * @since 0.1.0
 */
export const documentProblem = (
  { document = "" }: { readonly document?: string },
  withLetters: boolean
): string | undefined =>
  withLetters || /^\d*$/u.test(document) ? undefined : "must have digits only: CNPJs with letters are not enabled"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof CompaniesGroup>,
  never,
  Companies | SandboxCompanies | SecureRandom.SecureRandom
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const port = yield* Companies
  const random = yield* SecureRandom.SecureRandom
  const withLetters = yield* DocumentsWithLetters
  const checkDocument = (payload: { readonly document?: string }) => {
    const problem = documentProblem(payload, withLetters)
    return problem === undefined ? Effect.void : Effect.fail(badField("document", problem))
  }
  const generated = (bytes: number) => Effect.map(random.randomBytes(bytes), Base64Url.encode)
  return {
    "companies.list": Effect.fnUntraced(function* ({ query: { after, limit = longestPage } }) {
      const found = yield* port.list({ after, limit })
      return { companies: found.map(listed), next: found.length < limit ? null : (found.at(-1)?.clientId ?? null) }
    }),
    "companies.create": Effect.fnUntraced(function* ({ payload }) {
      const clientId = payload.clientId ?? `company-${yield* generated(9)}`
      const clientSecret = Redacted.make(payload.clientSecret ?? (yield* generated(24)))
      yield* checkDocument(payload)
      const { name = clientId, ...others } = payload
      const keys = yield* companies
        .create({ ...others, name, clientId, clientSecret })
        .pipe(Effect.catchTag("ClientIdTaken", ({ message }) => Effect.fail(badField("clientId", message))))
      return { ...keys, clientSecret }
    }),
    "companies.find": Effect.fnUntraced(function* ({ params: { clientId } }) {
      const keys = yield* keysOf(companies, clientId)
      return { ...detailsOf(clientId, Option.getOrThrow(yield* port.find(keys.companyId))), ...keys }
    }),
    "companies.edit": Effect.fnUntraced(function* ({ params: { clientId }, payload }) {
      yield* checkDocument(payload)
      const { companyId } = yield* keysOf(companies, clientId)
      return detailsOf(clientId, Option.getOrThrow(yield* port.edit(companyId, payload)))
    })
  }
})
