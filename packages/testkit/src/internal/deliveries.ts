/** A company's endpoints and deliveries. */
import type { Delivery, DeliveryFilter, WebhookEndpoint, WebhookEvent } from "../Webhooks.ts"
import type { Controls } from "./controls.ts"
import { given } from "./given.ts"
import { allPages } from "./pages.ts"
import { awaited } from "./waiting.ts"

/** Events that the simulated service sends. */
const usualEvents: ReadonlyArray<WebhookEvent> = ["transaction.updateStatus", "subscription.addTransaction"]

interface EndpointSettings {
  readonly url: string
  readonly events?: ReadonlyArray<WebhookEvent> | undefined
  /** True for the endpoint that `PUT /webhooks` edits, else a new one is created. */
  readonly isDefault?: true
}

export const endpointFor = async (
  controls: Controls,
  clientId: string,
  { events = usualEvents, ...settings }: EndpointSettings
): Promise<WebhookEndpoint> => {
  const { endpoint, secrets } = await controls.endpoints.create(clientId, { ...settings, events })
  // The newest secret of an endpoint is valid.
  return { endpointId: endpoint.endpointId, url: endpoint.url, events: endpoint.events, secret: secrets[0]!.secret! }
}

export const deliveriesOfCompany = (controls: Controls, clientId: string) => {
  const deliveries = (filter: DeliveryFilter = {}): Promise<ReadonlyArray<Delivery>> =>
    allPages<Delivery, number>(0, async (after = 0) => {
      const { deliveries } = await controls.deliveries.list(clientId, { ...given(filter), after })
      return { items: deliveries, next: deliveries.at(-1)?.webhookId }
    })

  const allDelivered = async ({ timeout }: { readonly timeout?: number | undefined } = {}): Promise<void> => {
    let waiting: ReadonlyArray<Delivery> = []
    const read = async () => {
      waiting = (await controls.deliveries.list(clientId, { state: "pending", after: 0 })).deliveries
      return waiting.length === 0 ? true : undefined
    }
    await awaited(read, timeout, (milliseconds) => {
      const shown = waiting.map(({ event, problem, transactionId, attempts }) =>
        [`${event} of transaction ${transactionId}`, attempts === 1 ? "1 attempt" : `${attempts} attempts`, problem]
          .filter(Boolean)
          .join(", ")
      )
      return `After ${milliseconds} ms these deliveries are still pending:\n${shown.join("\n")}`
    })
  }

  const replay = async (webhookId: number): Promise<void> => {
    await controls.deliveries.replay({ clientId, webhookId })
  }

  return { deliveries, allDelivered, replay }
}
