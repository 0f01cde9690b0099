/**
 * The migrations of the store, in order. One that was released is never changed: a correction is a new one.
 *
 * @since 0.1.0
 */
import * as Migrator from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import { layoutsOf } from "@parcela/engine/ports/CompanySnapshots"
import type { SquashedMigrations } from "./DatabaseMigrator.ts"
import { first } from "./migrations/0001_first.ts"
import { versions } from "./migrations/0002_versions.ts"
import { cardData } from "./migrations/0003_card_data.ts"
import { dueWork } from "./migrations/0004_due_work.ts"
import { customersOfTransactions } from "./migrations/0005_customers_of_transactions.ts"
import { masterKeyTag } from "./migrations/0006_master_key_tag.ts"
import { webhookEndpoints } from "./migrations/0008_webhook_endpoints.ts"
import { oneWebhookEndpoint } from "./migrations/0009_one_webhook_endpoint.ts"
import { endpointSecrets } from "./migrations/0010_endpoint_secrets.ts"
import { transactionOwners } from "./migrations/0012_transaction_owners.ts"
import { commands } from "./migrations/0013_commands.ts"
import { journalEntries } from "./migrations/0014_journal_entries.ts"
import { clocks } from "./migrations/0015_clocks.ts"
import { oldRecords } from "./migrations/0016_old_records.ts"
import { workClocks } from "./migrations/0017_work_clocks.ts"
import { clockAdvances } from "./migrations/0018_clock_advances.ts"
import { endpointCommands } from "./migrations/0019_endpoint_commands.ts"
import { charges } from "./migrations/0020_charges.ts"
import { chargeTags } from "./migrations/0021_charge_tags.ts"
import { plansOfSubscriptions } from "./migrations/0024_plans_of_subscriptions.ts"
import { customers } from "./migrations/0026_customers.ts"
import { cards } from "./migrations/0027_cards.ts"
import { plans } from "./migrations/0028_plans.ts"
import { attemptsInBusinessTime } from "./migrations/0029_attempts_in_business_time.ts"
import { responses } from "./migrations/0030_responses.ts"
import { namedAdvances } from "./migrations/0031_named_advances.ts"
import { incomingPayments } from "./migrations/0032_incoming_payments.ts"
import { paymentsThatExpire } from "./migrations/0033_payments_that_expire.ts"
import { lastAdvances } from "./migrations/0034_last_advances.ts"
import { companySnapshots } from "./migrations/0035_company_snapshots.ts"
import { statusBesideOrders } from "./migrations/0036_status_beside_orders.ts"
import { databaseIdentity } from "./migrations/0037_database_identity.ts"
import { rowsInTheirKeys } from "./migrations/0038_rows_in_their_keys.ts"
import { deliveryPayloads } from "./migrations/0039_delivery_payloads.ts"
import { journalOfUnits } from "./migrations/0040_journal_of_units.ts"
import { endedAdvances } from "./migrations/0041_ended_advances.ts"
import { noAuthorizationCodes } from "./migrations/0042_no_authorization_codes.ts"
import { contractsWithoutTriggers } from "./migrations/0043_contracts_without_triggers.ts"
import { referencesOfAttempts } from "./migrations/0044_references_of_attempts.ts"
import { owedWithoutLists } from "./migrations/0045_owed_without_lists.ts"
import { attemptsOfCompanies } from "./migrations/0046_attempts_of_companies.ts"
import { stateOfDeliveries } from "./migrations/0047_state_of_deliveries.ts"
import { newDatabase } from "./migrations/newDatabase.ts"

/**
 * Where completed migrations are recorded.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "parcela_migrations"

const all = {
  "0001_first": first,
  "0002_versions": versions,
  "0003_card_data": cardData,
  "0004_due_work": dueWork,
  "0005_customers_of_transactions": customersOfTransactions,
  "0006_master_key_tag": masterKeyTag,
  "0008_webhook_endpoints": webhookEndpoints,
  "0009_one_webhook_endpoint": oneWebhookEndpoint,
  "0010_endpoint_secrets": endpointSecrets,
  "0012_transaction_owners": transactionOwners,
  "0013_commands": commands,
  "0014_journal_entries": journalEntries,
  "0015_clocks": clocks,
  "0016_old_records": oldRecords,
  "0017_work_clocks": workClocks,
  "0018_clock_advances": clockAdvances,
  "0019_endpoint_commands": endpointCommands,
  "0020_charges": charges,
  "0021_charge_tags": chargeTags,
  "0024_plans_of_subscriptions": plansOfSubscriptions,
  "0026_customers": customers,
  "0027_cards": cards,
  "0028_plans": plans,
  "0029_attempts_in_business_time": attemptsInBusinessTime,
  "0030_responses": responses,
  "0031_named_advances": namedAdvances,
  "0032_incoming_payments": incomingPayments,
  "0033_payments_that_expire": paymentsThatExpire,
  "0034_last_advances": lastAdvances,
  "0035_company_snapshots": companySnapshots,
  "0036_status_beside_orders": statusBesideOrders,
  "0037_database_identity": databaseIdentity,
  "0038_rows_in_their_keys": rowsInTheirKeys,
  "0039_delivery_payloads": deliveryPayloads,
  "0040_journal_of_units": journalOfUnits,
  "0041_ended_advances": endedAdvances,
  "0042_no_authorization_codes": noAuthorizationCodes,
  "0043_contracts_without_triggers": contractsWithoutTriggers,
  "0044_references_of_attempts": referencesOfAttempts,
  "0045_owed_without_lists": owedWithoutLists,
  "0046_attempts_of_companies": attemptsOfCompanies,
  "0047_state_of_deliveries": stateOfDeliveries
}

/**
 * Migrations that leave the rows of companies as they were, with the columns that they have: these change indexes, triggers and
 * checks. What is not named here is taken to change rows. A test runs what is named over rows.
 */
const leavingRows: ReadonlySet<string> = new Set([
  "0043_contracts_without_triggers",
  "0044_references_of_attempts",
  "0045_owed_without_lists",
  "0046_attempts_of_companies",
  "0047_state_of_deliveries"
])

/**
 * After which migrations rows of companies were what they are now, the last one first (`layoutsOf`).
 *
 * @category constants
 * @since 0.1.0
 */
export const layouts: ReadonlyArray<string> = layoutsOf(Object.keys(all), leavingRows)

/**
 * A number below the highest one must stay empty (0007, 0011): a database that is past it would be refused.
 *
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader<SqlClient.SqlClient> = Migrator.fromRecord(all)

/**
 * What a new SQLite database begins with, so that it need not go through what older ones went through. A migration that is
 * added runs after it, and stays as it is.
 *
 * @category options
 * @since 0.1.0
 */
export const squashed: SquashedMigrations = { upTo: 47, sqlite: newDatabase }
