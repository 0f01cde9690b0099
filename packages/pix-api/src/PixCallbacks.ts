/**
 * The address that providers report payments to: `POST {webhookUrl}/pix`.
 *
 * **Details**
 *
 * The address has a secret of the account in it, and so has only its provider; mTLS, where a provider has it, belongs to the proxy in
 * front. What a callback says is not believed: each payment that it names is asked for at the provider. A 200 means that every one was
 * kept, a 503 that the provider should report them again, and a 400 that some of it cannot be read.
 *
 * @since 0.1.0
 */
import { exceededLimit, duplicateKeys } from "@parcela/core/json/JsonText"
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

/** Below it are the secrets: `service` keeps what follows it out of its log. */
const place = "/pix-callbacks"

/**
 * The routes. Without an account that has a `callbackSecret` every callback is a 404.
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
      `${place}/:secret/pix`,
      served(
        Effect.fnUntraced(function* (account, text) {
          if (exceededLimit(text, "Callback") !== undefined) return 400
          const body = decode(text)
          // Of two values under one name it is not known which is meant.
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
          // What can be read is ours all the same.
          if (lost.length === 0) return named.length < entries.length ? 400 : 200
          yield* Effect.logWarning(
            `${lost.length} of ${results.length} Pix of a callback were not kept`,
            lost[0]?.cause
          )
          return 503
        })
      )
    )
    // Some providers try the address when it is registered, before any payment.
    yield* router.add(
      "POST",
      `${place}/:secret`,
      served(() => Effect.succeed(200))
    )
  })
)

/**
 * Registers the address at the provider of each account that has a `callbackSecret`: below the service's `publicUrl`, which
 * providers must reach. It goes on trying, a minute after each failure, and holds nothing up.
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
      const webhookUrl = `${publicUrl}${place}/${Redacted.value(secret)}`
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
          Effect.logWarning(`The address of callbacks could not be registered for ${account.clientId}`, error.cause)
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

/** The account whose secret it is, compared without an early end. */
const accountWith = (accounts: ReadonlyArray<PixAccount>, given: string): PixAccount | undefined =>
  accounts.find(
    ({ callbackSecret }) =>
      callbackSecret !== undefined && Mac.timingSafeEqual(bytesOf(Redacted.value(callbackSecret)), bytesOf(given))
  )
