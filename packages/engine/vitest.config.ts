/** Every test runs on SQLite, and those that ask nothing of the test clock while a statement runs on PostgreSQL too. */
import { mergeConfig } from "vitest/config"
import root from "../../vitest.config.ts"

export default mergeConfig(root, {
  test: {
    projects: [
      { extends: true, test: { name: "SQLite", provide: { store: "SQLite in memory" } } },
      {
        extends: true,
        // A statement takes its own time on PostgreSQL, and the test clock does not wait for it.
        test: {
          name: "PostgreSQL",
          provide: { store: "PostgreSQL" },
          exclude: ["test/!(CurrentKey|Recorder).{test,prove}.ts"]
        }
      }
    ]
  }
})
