/** A company of a sandbox that runs. */
import { TokenManager } from "@parcela/transport/client/TokenManager"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { Company } from "../Company.ts"
import type { Fixtures } from "../Fixtures.ts"
import type { PaymentOrder } from "../Payments.ts"
import type { PlannedFault } from "../Providers.ts"
import type { ReceiverOptions, WebhookReceiver } from "../Webhooks.ts"
import { locatingAll } from "./caller.ts"
import { targetOf } from "./clock.ts"
import type { Controls } from "./controls.ts"
import { deliveriesOfCompany, endpointFor } from "./deliveries.ts"
import { errorOf } from "./errors.ts"
import { eventsOfCompany } from "./events.ts"
import { given } from "./given.ts"
import { allPages } from "./pages.ts"
import { receiverFor } from "./receiver.ts"
import type { Keys } from "./running.ts"

/** Parts that the companies of one sandbox share. */
export interface Shared {
  readonly url: string
  readonly controls: Controls
  readonly naming: NamingProfile | undefined
  readonly receivers: Set<WebhookReceiver>
}

/** An advance of years may take minutes. A repeated advance continues where the previous one ended. */
const patience = { timeout: "1 hour" } as const

const timeOf = ({ controls }: Shared, { clientId }: Keys) => {
  const clock = () => controls.clock.show(clientId)
  const now = async () => (await clock()).business
  return {
    clock,
    today: async () => (await clock()).today,
    advance: async (by: Parameters<Company["advance"]>[0]) =>
      controls.clock.advance(clientId, await targetOf(by, now), patience)
  }
}

const paymentsOf = ({ controls }: Shared, { clientId }: Keys) => ({
  pay: (order: string | PaymentOrder) =>
    controls.payments.pay(clientId, given(typeof order === "string" ? { myId: order } : order)),
  payments: () =>
    allPages<Awaited<ReturnType<Company["payments"]>>[number], number>(undefined, async (after) => {
      const { next, payments } = await controls.payments.list(clientId, given({ after }))
      return { items: payments, next }
    }),
  reportedPayments: () =>
    allPages<Awaited<ReturnType<Company["reportedPayments"]>>[number], number>(undefined, async (after) => {
      const { next, payments } = await controls.payments.reported(clientId, given({ after }))
      return { items: payments, next }
    })
})

type Planned = Awaited<ReturnType<Controls["faults"]["plan"]>>

/** A planned failure without its company, which the caller knows. */
const faultOf = (planned: Planned): PlannedFault => Struct.omit(planned, ["companyId", "isOfOneCard"])

const providersOf = ({ controls }: Shared, { clientId, companyId }: Keys) => ({
  fail: async (fault: Parameters<Company["fail"]>[0]) =>
    faultOf(await controls.faults.plan({ ...given(fault), clientId })),
  faults: async () => (await controls.faults.list()).faults.filter((one) => one.companyId === companyId).map(faultOf),
  clearFaults: async () => {
    await controls.faults.clear({ clientId })
  },
  providerRequests: (filter: { readonly transactionId?: number | undefined } = {}) =>
    allPages<Awaited<ReturnType<Company["providerRequests"]>>[number], number>(undefined, async (after) => {
      const { entries, next } = await controls.ledger.list(given({ ...filter, clientId, after }))
      return { items: entries.map((entry) => Struct.omit(entry, ["companyId"])), next }
    })
})

/** Requests an access token, without the cache of a client. */
const tokenOf = async ({ naming }: Shared, baseUrl: string, { clientId, clientSecret }: Keys, scope?: string) => {
  const options = { baseUrl, naming, clientId, clientSecret: Redacted.make(clientSecret) }
  const body = { grant_type: "client_credentials", ...given({ scope }) } as const
  const requested = TokenManager.use((tokens) => tokens.request(body)).pipe(
    Effect.provide(TokenManager.layer(options)),
    Effect.provide(FetchHttpClient.layer)
  )
  const result = await Effect.runPromise(Effect.result(requested))
  if (Result.isFailure(result)) throw errorOf(result.failure)
  return Redacted.value(result.success.access_token)
}

const stateOf = ({ controls, naming }: Shared, { clientId }: Keys, forget: () => void) => ({
  reset: async () => {
    await controls.snapshots.reset(clientId)
    forget()
  },
  snapshot: (name: string) => controls.snapshots.take(clientId, { name }),
  snapshots: async () => (await controls.snapshots.list(clientId)).snapshots,
  applyFixtures: async (fixtures: Fixtures) => {
    // The contract checks each entity, and reports every error of the file at once.
    const body = (naming?.fromWire(fixtures) ?? fixtures) as Parameters<Controls["fixtures"]["apply"]>[1]
    return (await controls.fixtures.apply(clientId, body)).applied
  },
  restore: async (name: string) => {
    await controls.snapshots.restore({ clientId, name })
    forget()
  }
})

export const companyOf = (shared: Shared, keys: Keys): Company => {
  const { controls, receivers, url } = shared
  const { clientId } = keys
  const baseUrl = `${url}/v2`
  const { forget, ...events } = eventsOfCompany(controls, clientId)
  const receiveWebhooks = async (options: ReceiverOptions = {}): Promise<WebhookReceiver> => {
    const receiver = await receiverFor(controls, clientId, options)
    receivers.add(receiver)
    return receiver
  }
  return locatingAll({
    ...keys,
    url,
    baseUrl,
    token: (scope?: string) => tokenOf(shared, baseUrl, keys, scope),
    ...timeOf(shared, keys),
    ...paymentsOf(shared, keys),
    ...events,
    ...providersOf(shared, keys),
    requests: async (filter = {}) =>
      allPages(undefined, async (after: number | undefined) => {
        const { next, requests } = await controls.requests.list(given({ ...filter, clientId, after }))
        return { items: requests, next }
      }),
    ...deliveriesOfCompany(controls, clientId),
    deliverTo: (url, events) => endpointFor(controls, clientId, { url, events, isDefault: true }),
    receiveWebhooks,
    ...stateOf(shared, keys, forget)
  })
}
