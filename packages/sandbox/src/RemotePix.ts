/**
 * A Pix provider outside the sandbox's process, over API Pix. The modules are loaded only if an account is configured,
 * because few sandboxes have one.
 *
 * @since 0.1.0
 */
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import type { ReceivePayments } from "@parcela/engine/payments/IncomingPayments"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type { SchemaError } from "effect/Schema"
import type { SandboxOptions } from "./SandboxOptions.ts"

/**
 * Layers that the provider adds to a composition; empty without an account.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemotePix {
  readonly provider: Layer.Layer<never, SchemaError> | Layer.Layer<PixProvider, SchemaError>
  /** The callback route. */
  readonly routes: Layer.Layer<never, SchemaError, HttpRouter.HttpRouter | ReceivePayments>
  /** Registers the callback URL, and polls for payments that no callback reported. */
  readonly ready: Layer.Layer<never, SchemaError, ReceivePayments>
}

const none: RemotePix = { provider: Layer.empty, routes: Layer.empty, ready: Layer.empty }

/**
 * @category constructors
 * @since 0.1.0
 */
export const of = (options: Pick<SandboxOptions, "pixAccount" | "pixAccounts">): RemotePix => {
  const accounts = options.pixAccounts ?? options.pixAccount
  if (accounts === undefined) return none
  // One promise, so that the three layers share one set of tokens.
  let loaded: Promise<RemotePix> | undefined
  const load = Effect.promise(() => (loaded ??= import("./RemotePixLayers.ts").then(({ make }) => make(accounts))))
  return {
    provider: Layer.unwrap(Effect.map(load, ({ provider }) => provider)),
    routes: Layer.unwrap(Effect.map(load, ({ routes }) => routes)),
    ready: Layer.unwrap(Effect.map(load, ({ ready }) => ready))
  }
}
