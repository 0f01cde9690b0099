/**
 * The layers of a Pix provider outside the sandbox's process, over API Pix.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type PixAccount, PixAccounts } from "@parcela/pix-api/PixAccount"
import * as PixApi from "@parcela/pix-api/PixApi"
import * as PixApiClient from "@parcela/pix-api/PixApiClient"
import * as PixCallbacks from "@parcela/pix-api/PixCallbacks"
import { layerSweep, ReceivedPayments } from "@parcela/pix-api/ReceivedPayments"
import * as Layer from "effect/Layer"

/**
 * Returns the layers of a provider with one account, or with an account for each company.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (accounts: PixAccount | ReadonlyMap<CompanyId, PixAccount>) => {
  // One layer value, so that the three layers share one set of tokens.
  const client = PixApiClient.layer().pipe(
    Layer.provideMerge("baseUrl" in accounts ? PixAccounts.layerOne(accounts) : PixAccounts.layerByCompany(accounts)),
    Layer.provide(NodeHttpClient.layerNodeHttp)
  )
  const payments = Layer.provideMerge(ReceivedPayments.layer, client)
  return {
    provider: Layer.provide(PixApi.layerNoDeps, client),
    routes: Layer.provide(PixCallbacks.layer, payments),
    ready: Layer.provide(Layer.mergeAll(PixCallbacks.layerRegistration, layerSweep()), payments)
  }
}
