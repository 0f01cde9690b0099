/**
 * The layers of a Pix provider outside of the sandbox's process, which speaks API Pix.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type PixAccount, PixAccounts } from "@parcela/pix-api/PixAccount"
import * as PixApi from "@parcela/pix-api/PixApi"
import * as PixApiClient from "@parcela/pix-api/PixApiClient"
import * as PixCallbacks from "@parcela/pix-api/PixCallbacks"
import * as PixSweep from "@parcela/pix-api/PixSweep"
import { ReceivedPayments } from "@parcela/pix-api/ReceivedPayments"
import * as Layer from "effect/Layer"

/**
 * What a provider with one account, or an account for each company, adds to a composition.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (accounts: PixAccount | ReadonlyMap<CompanyId, PixAccount>) => {
  // One value, so that its tokens are made once for all three.
  const client = PixApiClient.layer().pipe(
    Layer.provideMerge("baseUrl" in accounts ? PixAccounts.layerOne(accounts) : PixAccounts.layerByCompany(accounts)),
    Layer.provide(NodeHttpClient.layerNodeHttp)
  )
  const payments = Layer.provideMerge(ReceivedPayments.layer, client)
  return {
    provider: Layer.provide(PixApi.layerNoDeps, client),
    routes: Layer.provide(PixCallbacks.layer, payments),
    ready: Layer.provide(Layer.mergeAll(PixCallbacks.layerRegistration, PixSweep.layer()), payments)
  }
}
