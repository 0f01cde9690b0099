/** A statement that was carried out and whose reply never came: what only a database behind a network can show. */
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { Journal } from "@parcela/engine/ports/Journal"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { storedPayment, writes } from "../fixtures/CommandStoreFixtures.ts"
import { captured } from "../fixtures/StoreFixtures.ts"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Redacted, Result } from "effect"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import * as StoreSql from "../../src/StoreSql.ts"

/** The reply to a commit of ours. */
const isDone = /(?:SELECT|COMMIT)(?: 1)?\0/

/** A way to the server on which the next write is lost, before the server has it or after it was carried out. */
const proxyTo = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const to = new URL(url)
      const { hostname, port } = to
      const sockets = new Set<Socket>()
      const state = { loses: undefined as "write" | "reply" | undefined, isDown: false }
      const cut = (...both: ReadonlyArray<Socket>) => both.forEach((socket) => socket.destroy())
      const server = createServer((client) => {
        if (state.isDown) return void client.destroy()
        const upstream = connect(Number(port), hostname)
        let output = ""
        let isLosing = false
        for (const socket of [client, upstream]) {
          sockets.add(socket)
          socket.on("error", () => cut(client, upstream)).on("close", () => cut(client, upstream))
        }
        client.on("data", (chunk) => {
          if (state.loses !== undefined && chunk.includes("held AS MATERIALIZED")) {
            if (state.loses === "write") {
              state.loses = undefined
              return cut(client, upstream)
            }
            isLosing = true
          }
          upstream.write(chunk)
        })
        upstream.on("data", (chunk) => {
          if (!isLosing) return void client.write(chunk)
          output += chunk.toString("latin1")
          if (!isDone.test(output)) return
          state.loses = undefined
          cut(client, upstream)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      to.port = String((server.address() as AddressInfo).port)
      to.hostname = "127.0.0.1"
      return { state, url: to.href, close: () => (sockets.forEach((socket) => socket.destroy()), server.close()) }
    }),
    ({ close }) => Effect.sync(close)
  )

/** A capture that knows its own write again. */
const capturing = Effect.gen(function* () {
  const store = yield* CommandStore
  const make = yield* writes
  const { args, companyId, opened } = yield* storedPayment
  const next = captured(opened)
  const counts = { decisions: 0 }
  const unit = store.run({
    load: "payment",
    args,
    decide: ({ found }) => {
      counts.decisions += 1
      if (found!.transaction.status === "captured") return Result.succeed({ value: "was there", writes: undefined })
      const { customer, guard, transaction } = found!
      const changes = [{ table: "transactions", before: transaction, next, customerId: customer.id } as const]
      const events = [
        { _tag: "TransactionStatusChanged", transactionId: opened.id, from: "notSend", to: "captured" } as const
      ]
      return Result.succeed({ value: "written", writes: make({ guards: [guard], changes, events }, found!) })
    }
  })
  const written = Effect.gen(function* () {
    const { found } = yield* look("payment", { companyId, transaction: bySvcPayId(opened.id) })
    const journal = yield* Journal.use((all) => all.latest(companyId, 10))
    return { status: found!.transaction.status, entries: journal.length }
  })
  return { counts, unit, written }
})

const once = { status: "captured", entries: 1 }

// Live: it is real connections that end.
describe("a write to PostgreSQL", () => {
  it.live("whose reply is lost is recognized by a rerun, and executed once", () =>
    Effect.gen(function* () {
      const { state, url } = yield* proxyTo(yield* Effect.orDie(emptyDatabase))
      yield* Effect.gen(function* () {
        const { counts, unit, written } = yield* capturing
        state.loses = "reply"
        assert.strictEqual((yield* unit).value, "was there")
        assert.isUndefined(state.loses)
        assert.strictEqual(counts.decisions, 2)
        assert.deepStrictEqual(yield* written, once)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) }), { local: true }))
    })
  )

  it.live("that is lost itself is executed once by a rerun", () =>
    Effect.gen(function* () {
      const { state, url } = yield* proxyTo(yield* Effect.orDie(emptyDatabase))
      yield* Effect.gen(function* () {
        const { counts, unit, written } = yield* capturing
        state.loses = "write"
        assert.strictEqual((yield* unit).value, "written")
        assert.isUndefined(state.loses)
        assert.strictEqual(counts.decisions, 2)
        assert.deepStrictEqual(yield* written, once)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) }), { local: true }))
    })
  )

  it.live("whose reply is lost with the connection never reports that nothing changed", () =>
    Effect.gen(function* () {
      const { state, url } = yield* proxyTo(yield* Effect.orDie(emptyDatabase))
      yield* Effect.gen(function* () {
        const { unit, written } = yield* capturing
        state.loses = "reply"
        const lost = unit
        const { reason } = yield* Effect.flip(
          Effect.andThen(
            Effect.sync(() => (state.isDown = true)),
            lost
          )
        )
        assert.strictEqual(reason._tag, "CommitUnknown")
        state.isDown = false
        assert.deepStrictEqual(yield* written, once)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
    })
  )
})
