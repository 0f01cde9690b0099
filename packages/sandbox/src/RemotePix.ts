/**
 * A Pix provider outside of the sandbox's process, which speaks API Pix.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import type { ReceivePayments } from "@parcela/engine/usecases/ReceivePayments"
import { type PixAccount, PixAccounts } from "@parcela/pix-api/PixAccount"
import * as PixApi from "@parcela/pix-api/PixApi"
import * as PixApiClient from "@parcela/pix-api/PixApiClient"
import * as PixCallbacks from "@parcela/pix-api/PixCallbacks"
import * as PixSweep from "@parcela/pix-api/PixSweep"
import { ReceivedPayments } from "@parcela/pix-api/ReceivedPayments"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type { SchemaError } from "effect/Schema"

/**
 * What it adds to a composition: nothing where there is no account.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemotePix {
  readonly provider: Layer.Layer<never, SchemaError> | Layer.Layer<PixProvider, SchemaError>
  /** The address of callbacks. */
  readonly routes: Layer.Layer<never, SchemaError, HttpRouter.HttpRouter | ReceivePayments>
  /** Has the address registered, and looks for the payments that no callback reported. */
  readonly ready: Layer.Layer<never, SchemaError, ReceivePayments>
}

const none: RemotePix = { provider: Layer.empty, routes: Layer.empty, ready: Layer.empty }

/**
 * @category constructors
 * @since 0.1.0
 */
export const of = (account: PixAccount | undefined): RemotePix => {
  if (account === undefined) return none
  // One value, so that its tokens are made once for all three.
  const client = PixApiClient.layer().pipe(
    Layer.provideMerge(PixAccounts.layerOne(account)),
    Layer.provide(NodeHttpClient.layerNodeHttp)
  )
  const payments = Layer.provideMerge(ReceivedPayments.layer, client)
  return {
    provider: Layer.provide(PixApi.layerNoDeps, client),
    routes: Layer.provide(PixCallbacks.layer, payments),
    ready: Layer.provide(Layer.mergeAll(PixCallbacks.layerRegistration, PixSweep.layer()), payments)
  }
}
