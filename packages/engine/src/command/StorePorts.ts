/**
 * The ports that a database adapter implements.
 *
 * @since 0.1.0
 */
import type { AccessTokens } from "../ports/AccessTokens.ts"
import type { Cards } from "../ports/Cards.ts"
import type { Charges } from "../ports/Charges.ts"
import type { CommandStore } from "./CommandStore.ts"
import type { Companies } from "../ports/Companies.ts"
import type { CompanyClocks } from "../ports/CompanyClocks.ts"
import type { Customers } from "../ports/Customers.ts"
import type { DueWork } from "../ports/DueWork.ts"
import type { IncomingPayments } from "../ports/IncomingPayments.ts"
import type { Journal } from "../ports/Journal.ts"
import type { Leases } from "../ports/Leases.ts"
import type { OldRecords } from "../ports/OldRecords.ts"
import type { Outbox } from "../ports/Outbox.ts"
import type { Plans } from "../ports/Plans.ts"
import type { Sequences } from "../ports/Sequences.ts"
import type { Subscriptions } from "../ports/Subscriptions.ts"
import type { Transactions } from "../ports/Transactions.ts"
import type { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import type { WebhookReplays } from "../ports/WebhookReplays.ts"

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
