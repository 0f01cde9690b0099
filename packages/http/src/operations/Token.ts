/**
 * `POST /token` (interface section 4.2).
 *
 * @since 0.1.0
 */
import { scopeText, words } from "@parcela/core/companies/Scope"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import { Settings } from "@parcela/engine/Settings"
import type { TokenGroup } from "@parcela/transport/contract/Token"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Operations } from "../ContractRoutes.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof TokenGroup>, never, Tokens> = Effect.gen(function* () {
  const tokens = yield* Tokens
  const { naming } = yield* Settings
  // The interface limits the scope to 255 characters; other naming profiles return the whole scope.
  const isCut = naming.name === svcPay.name
  return {
    "token.token": ({ client, payload }) =>
      Effect.map(tokens.issue(client, words(payload.scope)), ({ lifetime, scopes, token }) => ({
        access_token: Redacted.value(token),
        token_type: "Bearer",
        expires_in: Duration.toSeconds(lifetime),
        scope: isCut ? scopeText(scopes) : scopes.join(" ")
      }))
  }
})
