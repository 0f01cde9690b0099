/**
 * Every test runs on SQLite; those about concurrency, failures and leases run on PostgreSQL too. `npm run prove -- postgres` runs all
 * of them there.
 */
import { globSync } from "node:fs"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import root, { prove } from "../../vitest.config.ts"

const onPostgres = [
  "Command",
  "DeliveryWorker",
  "DueWorker",
  "FaultMatrix",
  "PaymentAttempts",
  "Recovery",
  "Rerun",
  "StoreLostAfterCommit",
  "TwoClocks",
  "UnreliableStore"
].map((name) => {
  const [file] = globSync(`test/**/${name}.test.ts`, { cwd: import.meta.dirname })
  if (file === undefined) throw new Error(`vitest.config.ts: there is no test ${name}`)
  return file
})

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
        exclude: ["test/{PausedWorker,Starvation,TwoSenders,TwoProcesses}.test.ts"]
      })
    ]
  }
})
