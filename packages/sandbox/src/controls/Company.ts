/**
 * The company that a control names.
 *
 * @since 0.1.0
 */
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SandboxCompanies } from "../SandboxCompanies.ts"

/** Returns the company with a client id, or fails with a 404. */
export const keysOf = Effect.fnUntraced(function* (companies: SandboxCompanies["Service"], clientId: string) {
  const found = yield* companies.find(clientId)
  return Option.isSome(found)
    ? found.value
    : yield* new NotFound({ message: `The sandbox has no company with the client id "${clientId}"` })
})

/** Returns the number of the company in a path. */
export const companyIdOf = (
  companies: SandboxCompanies["Service"],
  { params }: { readonly params: { readonly clientId: string } }
) => Effect.map(keysOf(companies, params.clientId), ({ companyId }) => companyId)

/** Returns an object with the key, or an empty object for an undefined value. */
export const present = <K extends string, A>(key: K, value: A | undefined): { readonly [P in K]?: A } =>
  // TypeScript types a computed key as `string`.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: A }
