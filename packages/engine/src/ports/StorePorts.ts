/**
 * All ports of a store, which one database implements.
 *
 * @since 0.1.0
 */
import type { AccessTokens } from "./AccessTokens.ts"
import type { Cards } from "./Cards.ts"
import type { Charges } from "./Charges.ts"
import type { CommandStore } from "./CommandStore.ts"
import type { Companies } from "./Companies.ts"
import type { CompanyClocks } from "./CompanyClocks.ts"
import type { Customers } from "./Customers.ts"
import type { DueWork } from "./DueWork.ts"
import type { IncomingPayments } from "./IncomingPayments.ts"
import type { Journal } from "./Journal.ts"
import type { Leases } from "./Leases.ts"
import type { OldRecords } from "./OldRecords.ts"
import type { Outbox } from "./Outbox.ts"
import type { Plans } from "./Plans.ts"
import type { Sequences } from "./Sequences.ts"
import type { Subscriptions } from "./Subscriptions.ts"
import type { Transactions } from "./Transactions.ts"
import type { WebhookEndpoints } from "./WebhookEndpoints.ts"
import type { WebhookReplays } from "./WebhookReplays.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type StorePorts =
  | AccessTokens
  | Cards
  | Charges
  | CommandStore
  | Companies
  | CompanyClocks
  | Customers
  | DueWork
  | IncomingPayments
  | Journal
  | Leases
  | OldRecords
  | Outbox
  | Plans
  | Sequences
  | Subscriptions
  | Transactions
  | WebhookEndpoints
  | WebhookReplays
