/**
 * The client of a service's administration, derived from its contract.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as HttpClient from "effect/http/HttpClient"
import type { ClientOf } from "../client/ClientOf.ts"
import type { CommonOptions } from "../client/ClientOptions.ts"
import { deriveClient } from "../client/DeriveClient.ts"
import { type GroupsOf, overFetch, withFixedToken } from "../client/TokenManager.ts"
import { AdministrationOperations } from "./AdministrationContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface AdministrationClientOptions extends Omit<CommonOptions, "naming"> {
  /** The operator token, if the service has one. */
  readonly operatorToken?: Redacted.Redacted | undefined
}

/**
 * The operator's operations in groups: `administration.transactions.waive("shop", { myId: "payment-1" })`. Writes are
 * sent once. A write whose response is lost fails with `ResponseLost` and may be repeated.
 *
 * @category services
 * @since 0.1.0
 */
export class AdministrationClient extends Context.Service<
  AdministrationClient,
  ClientOf<GroupsOf<typeof AdministrationOperations>, "strict">
>()("@parcela/transport/administration/AdministrationClient") {
  /** The client over any `HttpClient`. */
  static readonly layerNoDeps = (
    options: AdministrationClientOptions
  ): Layer.Layer<AdministrationClient, never, HttpClient.HttpClient> =>
    Layer.effect(AdministrationClient, make(options))

  /** The client over `fetch`. It does not follow redirects, because they could send the token to another host. */
  static readonly layer = (options: AdministrationClientOptions): Layer.Layer<AdministrationClient> =>
    Layer.provide(AdministrationClient.layerNoDeps(options), overFetch)
}

/**
 * Returns a client of the administration at `baseUrl`, which ends in `/admin`: `http://127.0.0.1:8026/admin`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ operatorToken, ...options }: AdministrationClientOptions) =>
  withFixedToken(
    operatorToken,
    deriveClient(AdministrationOperations, { ...options, name: "AdministrationClient", reading: "strict" })
  )
