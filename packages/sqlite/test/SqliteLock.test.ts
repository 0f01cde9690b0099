import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { mkdirSync, statSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const holder = fileURLToPath(new URL("./fixtures/Holder.ts", import.meta.url))

const ask = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT 1 AS one`
})

/** Asks with a client of its own. */
const askWith = (config: NodeSqliteClient.NodeSqliteClientConfig) =>
  Effect.provide(ask, NodeSqliteClient.layer(config), { local: true })

/** A process that holds the file: its number, and a way to kill it that ends when it is dead. */
const anotherProcess = Effect.fnUntraced(function* (filename: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [holder, filename], { stdio: ["ignore", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* Effect.callback<void>((resume) => void child.stdout.once("data", () => resume(Effect.void)))
  const kill = Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })
  return { pid: child.pid, kill }
})

describe("a locked database file", () => {
  it.live("is refused while another process has it, with its name, and free as soon as that process is killed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const { kill, pid } = yield* anotherProcess(filename)
      const { message, reason } = yield* Effect.flip(askWith({ filename, exclusive: true }))
      assert.strictEqual(reason._tag, "ConnectionError")
      assert.include(message, `The database "${filename}" is in use by another program`)
      if (process.platform === "linux") assert.include(message, `process ${pid}`)
      yield* kill
      assert.lengthOf(yield* askWith({ filename, exclusive: true }), 1)
    })
  )

  it.effect("is refused while another client of this process has it, and free when that one is closed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const error = yield* Effect.flip(askWith({ filename, exclusive: true })).pipe(
        Effect.provide(
          Layer.effectDiscard(ask).pipe(Layer.provide(NodeSqliteClient.layer({ filename, exclusive: true })))
        )
      )
      assert.include(error.message, "in use")
      assert.lengthOf(yield* askWith({ filename, exclusive: true }), 1)
    })
  )

  it.effect("is refused under another name for the same file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* askWith({ filename, exclusive: true })
      const link = join(dirname(filename), "link.db")
      symlinkSync(filename, link)
      const folder = join(dirname(filename), "folder")
      symlinkSync(dirname(filename), folder)
      for (const other of [link, join(folder, "test.db")]) {
        const error = yield* Effect.flip(askWith({ filename: other, exclusive: true })).pipe(
          Effect.provide(
            Layer.effectDiscard(ask).pipe(Layer.provide(NodeSqliteClient.layer({ filename, exclusive: true })))
          )
        )
        assert.include(error.message, "in use")
      }
    })
  )

  it.effect("can be read, and opened without a lock", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        assert.lengthOf(yield* askWith({ filename, readonly: true }), 1)
        assert.lengthOf(yield* askWith({ filename }), 1)
      }).pipe(
        Effect.provide(
          Layer.effectDiscard(ask).pipe(Layer.provide(NodeSqliteClient.layer({ filename, exclusive: true })))
        )
      )
    })
  )

  it.effect("has an empty lock file next to it, which alone is no lock", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* askWith({ filename, exclusive: true })
      assert.strictEqual(statSync(`${filename}.lock`).size, 0)
      assert.strictEqual(statSync(`${filename}.lock`).mode & 0o777, 0o600)
    })
  )

  it.effect("reports a lock that is not a file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      mkdirSync(`${filename}.lock`)
      const { message } = yield* Effect.flip(askWith({ filename, exclusive: true }))
      assert.include(message, `The lock "${filename}.lock" of the database cannot be taken`)
    })
  )
})
