/**
 * The client of a sandbox's controls, derived from their contract.
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
import { SandboxOperations } from "./SandboxContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SandboxClientOptions extends Omit<CommonOptions, "naming"> {
  /** The controls token, if the sandbox has one. */
  readonly controlsToken?: Redacted.Redacted | undefined
}

/**
 * The controls in groups: `sandbox.companies.create({ name })`. Reads are retried if a retry may help. Writes are sent
 * once; a write whose response is lost fails with `ResponseLost`.
 *
 * @category services
 * @since 0.1.0
 */
export class SandboxClient extends Context.Service<
  SandboxClient,
  ClientOf<GroupsOf<typeof SandboxOperations>, "strict">
>()("@parcela/transport/sandbox/SandboxClient") {
  /** The client over any `HttpClient`. */
  static readonly layerNoDeps = (
    options: SandboxClientOptions
  ): Layer.Layer<SandboxClient, never, HttpClient.HttpClient> => Layer.effect(SandboxClient, make(options))

  /** The client over `fetch`. It does not follow redirects, because they could send the token to another host. */
  static readonly layer = (options: SandboxClientOptions): Layer.Layer<SandboxClient> =>
    Layer.provide(SandboxClient.layerNoDeps(options), overFetch)
}

/**
 * Returns a client of the controls at `baseUrl`, which ends in `/sandbox`: `http://127.0.0.1:8026/sandbox`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ controlsToken, ...options }: SandboxClientOptions) =>
  withFixedToken(
    controlsToken,
    deriveClient(SandboxOperations, { ...options, name: "SandboxClient", reading: "strict" })
  )
