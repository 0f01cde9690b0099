/**
 * The companies of the sandbox and their snapshots, over HTTP.
 *
 * @since 0.1.0
 */
import { type CompanyState, type CompanyId, payeeOf } from "@parcela/core/companies/CompanyState"
import { DocumentsWithLetters } from "@parcela/http/SchemaVariants"
import { Companies, type ListedCompany } from "@parcela/engine/ports/Companies"
import { BadRequest, Conflict, NotFound } from "@parcela/transport/ApiError"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import type { CompaniesGroup } from "@parcela/transport/sandbox/CompanyControls"
import type { Operations } from "@parcela/http/Operation"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SandboxCompanies, keysOf, companyIdOf } from "../SandboxCompanies.ts"
import type { CompanySnapshot, SnapshotRefused } from "@parcela/engine/ports/CompanySnapshots"
import type { SnapshotsGroup } from "@parcela/transport/sandbox/SnapshotControls"
import { CompanyStates } from "../CompanyStates.ts"
import { providersDown } from "../Paying.ts"

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
 * The validation error of a CNPJ with letters, if the settings do not allow letters.
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
export const companies: Effect.Effect<
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
    "companies.list": Effect.fnUntraced(function* ({ query: { after, limit = maxPageSize } }) {
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

/** Maximum number of names in a message: a name has up to 100 characters, a message 255. */
const maxNames = 5

/** Returns an error that lists existing names, which helps after a typing error. */
const noSuchSnapshot = (snapshots: ReadonlyArray<CompanySnapshot>): NotFound => {
  const names = snapshots.slice(0, maxNames).map(({ name }) => `"${name}"`)
  const more = snapshots.length - names.length
  const known = snapshots.length === 0 ? "none" : [...names, ...(more === 0 ? [] : [`${more} more`])].join(", ")
  return new NotFound({ message: `The company has no snapshot of that name; it has ${known}` })
}

const refusal = ({ message, reason }: SnapshotRefused) =>
  reason === "CompanyNotFound" ? new NotFound({ message }) : new Conflict({ message })

const shown = ({ name, rows, takenAt }: CompanySnapshot) => ({ name, rows, takenAt })

/**
 * @category operations
 * @since 0.1.0
 */
export const snapshots: Effect.Effect<
  Operations<typeof SnapshotsGroup>,
  never,
  CompanyStates | SandboxCompanies
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const states = yield* CompanyStates

  const notThere = (companyId: CompanyId) =>
    Effect.flatMap(states.list(companyId), (snapshots) => Effect.fail(noSuchSnapshot(snapshots)))

  const restored = (companyId: CompanyId, name?: string) =>
    Effect.catchTags(states.restore(companyId, name), {
      SnapshotRefused: (refused) =>
        refused.reason === "SnapshotNotFound" ? notThere(companyId) : Effect.fail(refusal(refused)),
      ProviderError: () => Effect.fail(providersDown())
    })

  return {
    "snapshots.reset": Effect.fnUntraced(function* (request) {
      yield* restored(yield* companyIdOf(companies, request))
      return { reset: true as const }
    }),
    "snapshots.list": Effect.fnUntraced(function* (request) {
      return { snapshots: (yield* states.list(yield* companyIdOf(companies, request))).map(shown) }
    }),
    "snapshots.take": Effect.fnUntraced(
      function* (request) {
        const taken = yield* states.take(yield* companyIdOf(companies, request), request.payload.name)
        return { ...shown(taken), ...(taken.isReplacing ? { replaced: true as const } : {}) }
      },
      Effect.catchTags({
        SnapshotRefused: (refused) => Effect.fail(refusal(refused)),
        ProviderError: () => Effect.fail(providersDown())
      })
    ),
    "snapshots.restore": Effect.fnUntraced(function* (request) {
      yield* restored(yield* companyIdOf(companies, request), request.params.name)
      return { restored: true as const }
    }),
    "snapshots.remove": Effect.fnUntraced(
      function* (request) {
        const companyId = yield* companyIdOf(companies, request)
        const isDeleted = yield* states.remove(companyId, request.params.name)
        if (!isDeleted) return yield* notThere(companyId)
        return { deleted: true as const }
      },
      Effect.catchTag("ProviderError", () => Effect.fail(providersDown()))
    )
  }
})
