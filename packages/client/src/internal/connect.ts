/** The client that is derived from the contract, over `fetch`, with promises. */
import { profile, ServiceName } from "@parcela/core/json/NamingProfile"
import type { ClientOptions } from "@parcela/transport/client/ClientOptions"
import { deriveClient } from "@parcela/transport/client/DeriveClient"
import { TokenManager } from "@parcela/transport/client/TokenManager"
import { Operations } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { AccessToken, ParcelaOptions, ReadOptions } from "../ParcelaOptions.ts"
import { promised, promiseOf } from "./promises.ts"

export const connect = (options: ParcelaOptions) => {
  const given = clientOptions(options)
  const services = Layer.mergeAll(
    TokenManager.layer(given).pipe(Layer.provideMerge(overFetch(options.fetch ?? globalThis.fetch))),
    SecureRandom.layerWebCrypto
  )
  const made = Effect.gen(function* () {
    const tokens = yield* TokenManager
    const random = yield* SecureRandom.SecureRandom
    const newKey = random.uuidV4()
    const client = yield* deriveClient(Operations, { ...given, name: "Parcela", reading: "plain", newKey, tokens })
    return { client, tokens }
  })
  const { client, tokens } = Effect.runSync(Effect.provide(made, services))
  const groups = Object.entries(client).map(([group, methods]) => [
    group,
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, promised(`${group}.${name}`, method)]))
  ])
  return { operations: Object.fromEntries(groups), token: tokenOf(tokens, options.scope) }
}

const clientOptions = ({ clientSecret, naming, onResponse, ...options }: ParcelaOptions): ClientOptions => ({
  ...options,
  clientSecret: Redacted.make(clientSecret, { label: "client secret" }),
  naming: naming === undefined ? undefined : profile(ServiceName.make(naming)),
  onResponse: onResponse === undefined ? undefined : (response) => Effect.sync(() => onResponse(response))
})

/** Redirects are not followed, because they could send the credentials to another host. */
const overFetch = (fetch: typeof globalThis.fetch) =>
  FetchHttpClient.layer.pipe(
    Layer.provide([
      Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Layer.succeed(FetchHttpClient.Fetch, fetch)
    ])
  )

const tokenOf =
  (tokens: TokenManager["Service"], scope: string | undefined) =>
  async (options?: ReadOptions): Promise<AccessToken> => {
    const body = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) } as const
    const token = await promiseOf(tokens.request(body), options?.signal)
    return { accessToken: Redacted.value(token.access_token), expiresIn: token.expires_in, scope: token.scope }
  }
