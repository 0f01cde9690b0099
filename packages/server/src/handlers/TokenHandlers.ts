/**
 * `POST /token` (interface section 4.2).
 *
 * @since 0.1.0
 */
import { words } from "@parcela/core/Scope"
import { Tokens } from "@parcela/engine/Tokens"
import { Forbidden } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  Contract,
  "token",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens
    return handlers.handleAll({
      token: Effect.fn("token")(
        function* ({ payload }) {
          const company = yield* Caller
          const { lifetime, scopes, token } = yield* tokens.issue(company, words(payload.scope))
          return {
            access_token: Redacted.value(token),
            token_type: "Bearer" as const,
            expires_in: Duration.toSeconds(lifetime),
            scope: scopes.join(" ")
          }
        },
        Effect.catchTags({
          NotAllowed: ({ message }) => Effect.fail(new Forbidden({ message })),
          StoreError: Effect.die
        })
      )
    })
  })
)
