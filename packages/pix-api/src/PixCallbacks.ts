/**
 * The route for payment reports of providers: `POST {webhookUrl}/pix`.
 *
 * **Details**
 *
 * The URL contains a secret of the account, which only its provider has. A provider's mTLS is terminated by the reverse
 * proxy. The content of a callback is not trusted: each payment is read from the provider by its id. A 200 means that all
 * payments were stored, a 503 that the provider should report them again, and a 400 that a part of the body is malformed.
 *
 * @since 0.1.0
 */
import { exceededLimit, duplicateKeys } from "@parcela/core/json/JsonChecks"
import { Settings } from "@parcela/engine/Settings"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Mac from "effect/crypto/Mac"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { reasonOf } from "./messages/Problem.ts"
import { Callback, NamedPix } from "./messages/Charge.ts"
import { type PixAccount, PixAccounts } from "./PixAccount.ts"
import { PixApiClient } from "./PixApiClient.ts"
import { ReceivedPayments } from "./ReceivedPayments.ts"

/** The secrets follow this path. `service` does not log the rest of such a path. */
const prefix = "/pix-callbacks"

/**
 * The routes. Without an account with a `callbackSecret` every callback is a 404.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | PixAccounts | ReceivedPayments> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const accounts = yield* PixAccounts
    const payments = yield* ReceivedPayments

    const served = (serve: (account: PixAccount, text: string) => Effect.Effect<number>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const account = accountWith(accounts.all, (yield* HttpRouter.params)["secret"] ?? "")
        const text = account === undefined ? Option.none() : yield* Effect.option(request.text)
        if (account === undefined) return HttpServerResponse.empty({ status: 404 })
        return HttpServerResponse.empty({ status: Option.isNone(text) ? 400 : yield* serve(account, text.value) })
      })

    yield* router.add(
      "POST",
      `${prefix}/:secret/pix`,
      served(
        Effect.fnUntraced(function* (account, text) {
          if (exceededLimit(text, "Callback") !== undefined) return 400
          const body = decode(text)
          // A repeated key is ambiguous.
          if (Option.isNone(body) || duplicateKeys(text).length > 0) return 400
          const entries = [body.value.pix].flat()
          const named = Arr.getSomes(entries.map((entry) => decodeNamed(entry)))
          const names = named.flatMap(({ endToEndId, txid }) => (txid === undefined ? [] : [endToEndId]))
          const results = yield* Effect.forEach(
            new Set(names),
            (endToEndId) => Effect.exit(payments.report(account, endToEndId)),
            { concurrency: 4 }
          )
          const lost = results.filter((result) => result._tag === "Failure")
          // The valid entries were stored even if others are malformed.
          if (lost.length === 0) return named.length < entries.length ? 400 : 200
          yield* Effect.logWarning(
            `${lost.length} of ${results.length} Pix of a callback were not stored`,
            lost[0]?.cause
          )
          return 503
        })
      )
    )
    // Some providers test the URL at its registration.
    yield* router.add(
      "POST",
      `${prefix}/:secret`,
      served(() => Effect.succeed(200))
    )
  })
)

/**
 * Registers the URL at the provider of each account with a `callbackSecret`, below the service's `publicUrl`, which must be
 * reachable for providers. Retries in the background, one minute after each failure.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRegistration: Layer.Layer<never, never, PixAccounts | PixApiClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { all } = yield* PixAccounts
    const { send } = yield* PixApiClient
    const { publicUrl } = yield* Settings

    const register = Effect.fnUntraced(function* (account: PixAccount, secret: Redacted.Redacted) {
      const webhookUrl = `${publicUrl}${prefix}/${Redacted.value(secret)}`
      const path = `/webhook/${encodeURIComponent(account.key)}`
      const { body, status } = yield* send(account, { method: "PUT", path, body: { webhookUrl } })
      if (status < 300) return
      const cause = `PUT /webhook: ${reasonOf(status, body).message} (${status})`
      return yield* new ProviderError({ provider: "Pix provider", cause })
    })

    for (const account of all) {
      if (account.callbackSecret === undefined) continue
      yield* register(account, account.callbackSecret).pipe(
        // A defect must not end the attempts silently.
        Effect.catchDefect((cause) => Effect.fail(new ProviderError({ provider: "Pix provider", cause }))),
        Effect.tapError((error) =>
          Effect.logWarning(`The URL of callbacks could not be registered for ${account.clientId}`, error.cause)
        ),
        Effect.retry(Schedule.spaced("1 minute")),
        Effect.forkScoped
      )
    }
  })
)

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Callback))
const decodeNamed = Schema.decodeUnknownOption(NamedPix)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Returns the account with that secret. The comparison takes constant time. */
const accountWith = (accounts: ReadonlyArray<PixAccount>, given: string): PixAccount | undefined =>
  accounts.find(
    ({ callbackSecret }) =>
      callbackSecret !== undefined && Mac.timingSafeEqual(bytesOf(Redacted.value(callbackSecret)), bytesOf(given))
  )
