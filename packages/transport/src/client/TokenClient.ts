/**
 * What clients have in common that send one token with every request.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"

/**
 * `fetch` that follows no redirect: it would take the token elsewhere.
 *
 * @category layers
 * @since 0.1.0
 */
export const overFetch: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/**
 * A client whose requests have the token, where there is one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withToken = <A, E>(
  token: Redacted.Redacted | undefined,
  client: Effect.Effect<A, E, HttpClient.HttpClient>
): Effect.Effect<A, E, HttpClient.HttpClient> =>
  token === undefined
    ? client
    : Effect.updateService(client, HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.bearerToken(token)))

/**
 * The groups of a contract.
 *
 * @category models
 * @since 0.1.0
 */
export type GroupsOf<Api> = Api extends { readonly groups: { readonly [name: string]: infer Group } } ? Group : never
