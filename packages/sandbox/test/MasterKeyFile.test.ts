import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { MasterKey } from "@parcela/engine/authentication/Secrets"
import * as MasterKeyFile from "@parcela/service/MasterKeyFile"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { join } from "node:path"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

const platform = Layer.mergeAll(NodeServices.layer, NodeCrypto.layer)

const keyOf = (file: string) =>
  Effect.map(Effect.provide(MasterKey, MasterKeyFile.layer(file), { local: true }), Redacted.value)

type Needs = Effect.Services<ReturnType<typeof keyOf>>

describe("a master key that two processes create concurrently", () => {
  it.effect("is the key of the faster process, also if that was done before the slower one read again", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "master.key")
      const fs = yield* FileSystem.FileSystem
      const faster = yield* Effect.cached(Effect.provideContext(keyOf(file), yield* Effect.context<Needs>()))
      // Once the slower one has seen that there is no file, the faster one makes it and records it in the database.
      const overtaken = FileSystem.FileSystem.of({
        ...fs,
        exists: (path) => Effect.tap(fs.exists(path), () => Effect.orDie(faster))
      })
      const slower = yield* Effect.provideService(keyOf(file), FileSystem.FileSystem, overtaken)
      assert.deepStrictEqual(slower, yield* faster)
    }).pipe(Effect.provide(Layer.merge(platform, StoreSql.layerSqlite({ filename: ":memory:" }))))
  )
})
