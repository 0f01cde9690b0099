/**
 * A company of a sandbox: what your program needs to call the service as it, and what a test makes happen to it.
 *
 * @since 0.1.0
 */
import type { Advance, Advanced, CompanyClock } from "./Clock.ts"
import type { EventFilter, ReceivedRequest, SandboxEvent, SandboxEventType, WaitOptions } from "./Events.ts"
import type { AppliedFixture, Fixtures } from "./Fixtures.ts"
import type { MadePayment, Paid, PaymentOrder, ReportedPayment } from "./Payments.ts"
import type { NewFault, PlannedFault, ProviderRequest } from "./Providers.ts"
import type {
  Delivery,
  DeliveryFilter,
  ReceiverOptions,
  WebhookEndpoint,
  WebhookEvent,
  WebhookReceiver
} from "./Webhooks.ts"

/**
 * What is left out is generated.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewCompany {
  readonly name?: string | undefined
  /** Unique in the sandbox. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** What its tokens may carry, such as `transactions.read`: every scope when absent. */
  readonly scopes?: ReadonlyArray<string> | undefined
  /** Where its requests may come from: anywhere when absent. */
  readonly allowedAddresses?: ReadonlyArray<string> | undefined
}

/**
 * What a company had at a time.
 *
 * @category models
 * @since 0.1.0
 */
export interface Snapshot {
  readonly name: string
  /** How many rows it has, those of the simulated providers included. */
  readonly rows: number
  readonly takenAt: string
}

/**
 * Companies share nothing, so tests with one each may run at the same time. `new Parcela(company)` of `@parcela/client` takes
 * one as it is.
 *
 * @category services
 * @since 0.1.0
 */
export interface Company {
  readonly companyId: number
  readonly clientId: string
  readonly clientSecret: string
  /** `whsec_..`, which signs the deliveries to your program: those of `deliverTo` and `PUT /webhooks`. */
  readonly webhookSecret: string
  /** What each delivery carries in its body. */
  readonly confirmHash: string
  /** Where the sandbox listens: `http://127.0.0.1:41234`. */
  readonly url: string
  /** The base address of the interface: `http://127.0.0.1:41234/v2`. */
  readonly baseUrl: string
  /** An access token of its own. `scope` are scopes separated by spaces; all that the company has when absent. */
  readonly token: (scope?: string) => Promise<string>

  /** The date by the company's clock, in Brazil: `2026-11-22`. Paydays are such dates. */
  readonly today: () => Promise<string>
  readonly clock: () => Promise<CompanyClock>
  /** Puts the clock ahead and does all that falls due on the way, each on its own day. A clock never goes back. */
  readonly advance: (by: Advance) => Promise<Advanced>

  /**
   * Somebody pays a boleto or a Pix now, by the company's clock: `pay("order-77")`, by the `myId` of a payment or a charge. A Pix is reported at once; a
   * boleto is settled when the next business day begins, so advance the clock to see it. To pay late, advance first.
   */
  readonly pay: (order: string | PaymentOrder) => Promise<Paid>
  /** What people paid at the providers. */
  readonly payments: () => Promise<ReadonlyArray<MadePayment>>
  /** What providers reported, and what became of it: money that fits nothing is `unmatched`. */
  readonly reportedPayments: () => Promise<ReadonlyArray<ReportedPayment>>

  /** What happened so far, oldest first. */
  readonly events: (filter?: EventFilter) => Promise<ReadonlyArray<SandboxEvent>>
  /**
   * The first event of that type that it did not return before, as soon as there is one. After `timeout` it is rejected,
   * and the message lists what did happen.
   */
  readonly nextEvent: (type: SandboxEventType, options?: WaitOptions<SandboxEvent>) => Promise<SandboxEvent>

  /** The next requests to the company's providers go wrong: `{ call: "charge", fault: { type: "ResponseLost" }, times: 2 }`. */
  readonly fail: (fault: NewFault) => Promise<PlannedFault>
  /** Faults that are planned; one whose span is over stays until it is cleared, as a restore may put the clock back. */
  readonly faults: () => Promise<ReadonlyArray<PlannedFault>>
  readonly clearFaults: () => Promise<void>
  /** Every request that the providers received, and what they did: the response that your program got is not always that. */
  readonly providerRequests: (filter?: {
    readonly transactionId?: number | undefined
  }) => Promise<ReadonlyArray<ProviderRequest>>

  /** What your program sent, the last 1,000 requests of the whole sandbox. */
  readonly requests: (filter?: { readonly status?: number | undefined }) => Promise<ReadonlyArray<ReceivedRequest>>

  /**
   * Sets the endpoint of your program, which `PUT /webhooks` edits too: it gets what happens from now on, signed with
   * `webhookSecret`. A second call moves it to another address.
   */
  readonly deliverTo: (url: string, events?: ReadonlyArray<WebhookEvent>) => Promise<WebhookEndpoint>
  /** An endpoint inside the test, with the deliveries that come. */
  readonly receiveWebhooks: (options?: ReceiverOptions) => Promise<WebhookReceiver>
  /** Deliveries so far, oldest first. */
  readonly deliveries: (filter?: DeliveryFilter) => Promise<ReadonlyArray<Delivery>>
  /** Waits until none is pending: your program has all of them, or they were given up. */
  readonly allDelivered: (options?: { readonly timeout?: number | undefined }) => Promise<void>
  /** Sends a delivery that is over again, under its number. */
  readonly replay: (webhookId: number) => Promise<void>

  /** Makes what it has not yet: `import fixtures from "./shop.json" with { type: "json" }`. Applied twice it changes nothing. */
  readonly applyFixtures: (fixtures: Fixtures) => Promise<ReadonlyArray<AppliedFixture>>
  /**
   * Removes all that it has, at the providers and endpoints of webhooks too, and puts its clock back to the machine's time.
   * Credentials and snapshots stay, and no number is given out twice.
   */
  readonly reset: () => Promise<void>
  /** Keeps all that it has, with its clock, under a name; a snapshot of that name is replaced. */
  readonly snapshot: (name: string) => Promise<Snapshot>
  readonly snapshots: () => Promise<ReadonlyArray<Snapshot>>
  /** Puts back what it had, as often as one likes: what came after is gone. */
  readonly restore: (name: string) => Promise<void>
}
