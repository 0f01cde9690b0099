/** Temporary files, removed with the scope. */
import { Effect, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A new, empty folder. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parcela-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A path of a file that does not exist, in a new folder. */
export const temporaryFile: Effect.Effect<string, never, Scope.Scope> = Effect.map(temporaryFolder, (folder) =>
  join(folder, "test.db")
)
