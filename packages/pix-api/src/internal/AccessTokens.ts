/**
 * Access tokens (OAuth 2, client credentials), kept until shortly before they expire.
 *
 * @since 0.1.0
 */
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { PixAccount } from "../PixAccount.ts"

/** `expires_in` in seconds. RFC 6749 lets providers leave it out. */
const Token = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Natural)
})

const withoutLifetime = 300

/** A token that is about to expire would be refused on the way. */
const early = Duration.seconds(30)

/** More accounts than a service has; a login is all that it costs to be beyond. */
const capacity = 10_000

/**
 * The tokens of every account. Calls at once for one account share a login; a failed login is kept by nobody.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  exchange: (
    request: HttpClientRequest.HttpClientRequest,
    what: string
  ) => Effect.Effect<{ readonly status: number; readonly body: unknown }, ProviderError>
) {
  const login = Effect.fnUntraced(function* (account: PixAccount) {
    const { body, status } = yield* exchange(requestOf(account), "token")
    return yield* decode(body).pipe(
      Effect.map((token) => ({
        lifetime: token.expires_in ?? withoutLifetime,
        token: Redacted.make(token.access_token)
      })),
      // What was received may be a token: neither it nor the decoder's view of it is kept.
      Effect.mapError(
        () => new ProviderError({ provider: "Pix provider", cause: `token: the provider gave none (${status})` })
      )
    )
  })
  const cache = yield* Cache.makeWith(login, {
    capacity,
    timeToLive: (exit) =>
      Exit.isSuccess(exit)
        ? Duration.max(Duration.zero, Duration.subtract(Duration.seconds(exit.value.lifetime), early))
        : Duration.zero
  })
  const get = (account: PixAccount) => Effect.map(Cache.get(cache, account), ({ token }) => token)
  return {
    get,
    /** Another token than the one that was not taken. */
    renew: (account: PixAccount, refused: Redacted.Redacted) =>
      Effect.andThen(
        Cache.invalidateWhen(cache, account, ({ token }) => token === refused),
        get(account)
      )
  }
})

const decode = Schema.decodeUnknownEffect(Token)

const requestOf = ({ clientId, clientSecret, scope, tokenRequest, tokenUrl }: PixAccount) => {
  const asked = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
  const request = HttpClientRequest.post(tokenUrl, { headers: { accept: "application/json" } }).pipe(
    HttpClientRequest.basicAuth(clientId, clientSecret)
  )
  return tokenRequest === "json"
    ? HttpClientRequest.bodyText(request, JSON.stringify(asked), "application/json")
    : HttpClientRequest.bodyUrlParams(request, asked)
}
