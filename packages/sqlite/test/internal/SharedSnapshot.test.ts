import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { SharedSnapshot } from "../../src/internal/SharedSnapshot.ts"

describe("a snapshot", () => {
  it("ends without a fault once its database is closed, as it ends where nobody would catch one", () => {
    const native = new DatabaseSync(":memory:")
    native.exec("CREATE TABLE items (id INTEGER PRIMARY KEY)")
    const snapshot = new SharedSnapshot(native)
    snapshot.begin()
    native.close()
    assert.doesNotThrow(snapshot.end)
  })
})
