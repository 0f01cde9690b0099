/**
 * Shared parts of clients that send one fixed token with every request.
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
 * `fetch` without redirects, which could send the token to another host.
 *
 * @category layers
 * @since 0.1.0
 */
export const overFetch: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/**
 * Returns a client that sends the token, if there is one.
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
