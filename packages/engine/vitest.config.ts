/**
 * Every test runs on SQLite; those about concurrency, failures and leases run on PostgreSQL too. `npm run prove -- postgres` runs all
 * of them there.
 */
import { mergeConfig } from "vitest/config"
import root, { prove } from "../../vitest.config.ts"

const onPostgres = [
  "test/attempts/PaymentAttempts.test.ts",
  "test/commands/Command.test.ts",
  "test/workers/{DeliveryWorker,DueWorker,Recovery}.test.ts",
  "test/{FaultMatrix,Rerun,StoreLostAfterCommit,TwoClocks,UnreliableStore}.test.ts"
]

export default mergeConfig(root, {
  test: {
    projects: [
      { extends: true, test: { name: "SQLite", provide: { store: "SQLite in memory" } } },
      {
        extends: true,
        test: {
          name: "PostgreSQL",
          provide: { store: "PostgreSQL" },
          ...(prove.long ? {} : { include: onPostgres }),
          // These choose their stores themselves.
          exclude: ["test/{PausedWorker,Starvation,TwoLanes,TwoProcesses}.test.ts"]
        }
      }
    ]
  }
})
