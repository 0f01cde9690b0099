/**
 * Real files for the tests, gone with the scope.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * A new, empty folder.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parcela-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/**
 * A path in a new folder; nothing is there yet.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const temporaryFile: Effect.Effect<string, never, Scope.Scope> = Effect.map(temporaryFolder, (folder) =>
  join(folder, "test.db")
)
