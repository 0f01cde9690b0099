import { assert, describe, it } from "@effect/vitest"
import * as Service from "@parcela/service/Service"
import { Cause, Effect, Exit, Layer } from "effect"
import { existsSync } from "node:fs"

describe("a service", () => {
  it.live("connects to PostgreSQL if its database is the text of a URL", () =>
    Effect.gen(function* () {
      const options = { host: "127.0.0.1", port: 0, lingering: 0, database: "postgres://user:secret@127.0.0.1:1/none" }
      const parts = {
        served: Layer.empty,
        ready: Layer.empty,
        providers: Layer.effectContext(Effect.die("the providers are built"))
      }
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(Service.layer(options, parts))))
      assert(Exit.isFailure(exit))
      const text = Cause.pretty(exit.cause)
      assert.include(text, "ECONNREFUSED")
      assert.notInclude(text, "secret")
      assert.isFalse(existsSync("postgres:"), "a folder of a SQLite file")
    })
  )
})
