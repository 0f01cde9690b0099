/** Every test runs on SQLite and on PostgreSQL. */
import { mergeConfig } from "vitest/config"
import root from "../../vitest.config.ts"

export default mergeConfig(root, {
  test: {
    projects: [
      { extends: true, test: { name: "SQLite", provide: { store: "SQLite in memory" } } },
      {
        extends: true,
        test: {
          name: "PostgreSQL",
          provide: { store: "PostgreSQL" },
          // These run on both by themselves; once is enough.
          exclude: ["test/{PausedWorker,Starvation,TwoLanes,TwoProcesses}.test.ts"]
        }
      }
    ]
  }
})
