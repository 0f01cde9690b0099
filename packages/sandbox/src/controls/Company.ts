/**
 * The company that a control is about.
 *
 * @since 0.1.0
 */
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SandboxCompanies } from "../SandboxCompanies.ts"

/** A company by its client id; a 404 when there is none. */
export const keysOf = Effect.fnUntraced(function* (companies: SandboxCompanies["Service"], clientId: string) {
  const found = yield* companies.find(clientId)
  return Option.isSome(found)
    ? found.value
    : yield* new NotFound({ message: `The sandbox has no company with the client id "${clientId}"` })
})

/** The number of the company of a path. */
export const companyIdOf = (
  companies: SandboxCompanies["Service"],
  { params }: { readonly params: { readonly clientId: string } }
) => Effect.map(keysOf(companies, params.clientId), ({ companyId }) => companyId)

/** The key with its value, or no key. */
export const present = <K extends string, A>(key: K, value: A | undefined): { readonly [P in K]?: A } =>
  // A computed key has the type of any text.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: A }
