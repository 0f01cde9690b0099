/**
 * Every test runs on SQLite; those about concurrency, failures and leases run on PostgreSQL too. `npm run prove -- postgres` runs all
 * of them there.
 */
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import root, { prove } from "../../vitest.config.ts"

const onPostgres = [
  "test/payments/PaymentAttempts.test.ts",
  "test/command/Command.test.ts",
  "test/workers/{DeliveryWorker,DueWorker,Recovery}.test.ts",
  "test/{FaultMatrix,Rerun,StoreLostAfterCommit,TwoClocks,UnreliableStore}.test.ts"
]

/** `extends: true` would add these files to all of the root configuration. */
const project = (
  name: string,
  store: string,
  changes: Pick<NonNullable<TestProjectInlineConfiguration["test"]>, "exclude" | "include"> = {}
): TestProjectInlineConfiguration => ({
  extends: false,
  test: { ...root.test, name, provide: { ...root.test?.provide, store }, ...changes }
})

export default defineConfig({
  test: {
    ...root.test,
    projects: [
      project("SQLite", "SQLite in memory"),
      project("PostgreSQL", "PostgreSQL", {
        ...(prove.long ? {} : { include: onPostgres }),
        // These choose their stores themselves.
        exclude: ["test/{PausedWorker,Starvation,TwoLanes,TwoProcesses}.test.ts"]
      })
    ]
  }
})
