/**
 * The migrations of the providers' store, in order. One that was released is never changed: a correction is a new one.
 *
 * @since 0.1.0
 */
import * as Migrator from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import { first } from "../migrations/0001_first.ts"
import { faultNames } from "../migrations/0002_fault_names.ts"
import { pixApi } from "../migrations/0003_pix_api.ts"
import { faults } from "../migrations/0004_faults.ts"
import { payments } from "../migrations/0005_payments.ts"
import { tokenized } from "../migrations/0006_tokenized.ts"
import { snapshots } from "../migrations/0007_snapshots.ts"
import { servedDatabase } from "../migrations/0008_served_database.ts"
import { countedTries } from "../migrations/0009_counted_tries.ts"
import { ledgerByCompany } from "../migrations/0010_ledger_by_company.ts"

const all = {
  "0001_first": first,
  "0002_fault_names": faultNames,
  "0003_pix_api": pixApi,
  "0004_faults": faults,
  "0005_payments": payments,
  "0006_tokenized": tokenized,
  "0007_snapshots": snapshots,
  "0008_served_database": servedDatabase,
  "0009_counted_tries": countedTries,
  "0010_ledger_by_company": ledgerByCompany
}

/**
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader<SqlClient.SqlClient> = Migrator.fromRecord(all)

/**
 * The name of the last migration.
 *
 * @category constants
 * @since 0.1.0
 */
export const layout = Object.keys(all).toSorted().at(-1) ?? ""
