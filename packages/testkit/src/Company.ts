/**
 * A company of a sandbox: credentials for your program, and functions that simulate payments, time and failures.
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
 * A company to create. Absent fields are generated.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewCompany {
  readonly name?: string | undefined
  /** Unique in the sandbox. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Scopes of its tokens, such as `transactions.read`. By default every scope. */
  readonly scopes?: ReadonlyArray<string> | undefined
  /** Addresses that its requests may come from. By default any address. */
  readonly allowedAddresses?: ReadonlyArray<string> | undefined
}

/**
 * A stored state of a company.
 *
 * @category models
 * @since 0.1.0
 */
export interface Snapshot {
  readonly name: string
  /** The number of rows, including those of the simulated providers. */
  readonly rows: number
  readonly takenAt: string
}

/**
 * A company. Companies share nothing, so tests with one each may run concurrently. `new Parcela(company)` of
 * `@parcela/client` accepts it unchanged.
 *
 * @category services
 * @since 0.1.0
 */
export interface Company {
  readonly companyId: number
  readonly clientId: string
  readonly clientSecret: string
  /** `whsec_..`, which signs the deliveries of `deliverTo` and `PUT /webhooks` to your program. */
  readonly webhookSecret: string
  /** The field `confirmHash` in the body of each delivery. */
  readonly confirmHash: string
  /** The URL of the sandbox: `http://127.0.0.1:41234`. */
  readonly url: string
  /** The base URL of the interface: `http://127.0.0.1:41234/v2`. */
  readonly baseUrl: string
  /** Returns a new access token. `scope` has scopes separated by spaces; the default is all of the company. */
  readonly token: (scope?: string) => Promise<string>

  /** Returns the date in Brazil by the company's clock, such as `2026-11-22`. Paydays are such dates. */
  readonly today: () => Promise<string>
  readonly clock: () => Promise<CompanyClock>
  /** Advances the clock and runs the jobs that become due, each on its own day. A clock never goes back. */
  readonly advance: (by: Advance) => Promise<Advanced>

  /**
   * Simulates the payment of a boleto or Pix at the current time of the company's clock: `pay("order-77")`, by the `myId`
   * of a payment or a charge. A Pix is reported at once. A boleto is settled at the start of the next business day, so
   * advance the clock to see that. To pay late, advance first.
   */
  readonly pay: (order: string | PaymentOrder) => Promise<Paid>
  /** Returns the payments at the providers. */
  readonly payments: () => Promise<ReadonlyArray<MadePayment>>
  /** Returns the reports of the providers with their results. A payment without a matching transaction is `unmatched`. */
  readonly reportedPayments: () => Promise<ReadonlyArray<ReportedPayment>>

  /** Returns the events so far, oldest first. */
  readonly events: (filter?: EventFilter) => Promise<ReadonlyArray<SandboxEvent>>
  /**
   * Waits for the next event of that type that it has not returned before. After `timeout` it rejects with a message
   * that lists the other events.
   */
  readonly nextEvent: (type: SandboxEventType, options?: WaitOptions<SandboxEvent>) => Promise<SandboxEvent>

  /** Plans failures of the next requests to the company's providers: `{ call: "charge", fault: { type: "ResponseLost" }, times: 2 }`. */
  readonly fail: (fault: NewFault) => Promise<PlannedFault>
  /** Returns the planned failures. One whose time span has ended stays until it is cleared, because a restore may set the clock back. */
  readonly faults: () => Promise<ReadonlyArray<PlannedFault>>
  readonly clearFaults: () => Promise<void>
  /** Returns every request that the providers received, and its effect. It may differ from the response that your program received. */
  readonly providerRequests: (filter?: {
    readonly transactionId?: number | undefined
  }) => Promise<ReadonlyArray<ProviderRequest>>

  /** Returns requests of your program, among the last 1,000 of the whole sandbox. */
  readonly requests: (filter?: { readonly status?: number | undefined }) => Promise<ReadonlyArray<ReceivedRequest>>

  /**
   * Sets the default endpoint, which `PUT /webhooks` edits too. It receives the events from now on, signed with
   * `webhookSecret`. A second call changes its address.
   */
  readonly deliverTo: (url: string, events?: ReadonlyArray<WebhookEvent>) => Promise<WebhookEndpoint>
  /** Adds an endpoint inside the test, which collects its deliveries. */
  readonly receiveWebhooks: (options?: ReceiverOptions) => Promise<WebhookReceiver>
  /** Deliveries so far, oldest first. */
  readonly deliveries: (filter?: DeliveryFilter) => Promise<ReadonlyArray<Delivery>>
  /** Waits until no delivery is pending: each is delivered or abandoned. */
  readonly allDelivered: (options?: { readonly timeout?: number | undefined }) => Promise<void>
  /** Sends a delivery that has ended again, with the same number. */
  readonly replay: (webhookId: number) => Promise<void>

  /** Creates the entities that do not exist yet: `import fixtures from "./shop.json" with { type: "json" }`. A second call changes nothing. */
  readonly applyFixtures: (fixtures: Fixtures) => Promise<ReadonlyArray<AppliedFixture>>
  /**
   * Removes all entities of the company, also at the providers, and its webhook endpoints, and sets its clock to the
   * machine's time. Credentials and snapshots remain, and no number is assigned twice.
   */
  readonly reset: () => Promise<void>
  /** Stores the state of the company with its clock under a name, and replaces a snapshot with that name. */
  readonly snapshot: (name: string) => Promise<Snapshot>
  readonly snapshots: () => Promise<ReadonlyArray<Snapshot>>
  /** Restores a snapshot, any number of times. Later changes are removed. */
  readonly restore: (name: string) => Promise<void>
}
