import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import { Effect, Fiber, Logger, Queue, Redacted, type Scope } from "effect"
import { byCard, byCode, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, receiver, token, advanceUntil } from "@parcela/test-world/Server"

const of = "/sandbox/companies/sandbox"

const control = (path: string, body?: unknown) => call("POST", `${of}${path}`, { body })

const api = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  return yield* call(method, `/v2${path}`, { token: yield* token, body })
})

const page = "?startAt=0&limit=100"

/** All that a user can list. */
const lists = Effect.gen(function* () {
  const found: Record<string, unknown> = {}
  for (const name of ["customers", "subscriptions", "transactions", "charges", "plans", "cards"]) {
    found[name] = (yield* api("GET", `/${name}${page}`)).json
  }
  for (const name of ["events", "payments", "payments/reported", "deliveries", "endpoints"]) {
    found[name] = (yield* call("GET", `${of}/${name}`)).json
  }
  found["ledger"] = (yield* call("GET", "/sandbox/ledger?clientId=sandbox")).json
  found["faults"] = (yield* call("GET", "/sandbox/faults")).json
  const { business, machine } = (yield* call("GET", `${of}/clock`)).json
  found["clock"] = Date.parse(business) - Date.parse(machine)
  return found
})

const added = Effect.fnUntraced(function* (subscription: string, myId: string) {
  return yield* api("POST", `/transactions/${subscription}/myId/add`, payment(myId))
})

/** A card payment, a boleto and a Pix, a plan, a fault and an endpoint, and a clock that is ahead. */
const filled = Effect.gen(function* () {
  const there = yield* receiver
  yield* api("PUT", "/webhooks", { url: there.url, events: ["transaction.updateStatus"] })
  yield* api("POST", "/subscriptions/manual", byCard(cards.captured, "card"))
  yield* api("POST", "/subscriptions/manual", byCode("boleto", "boleto"))
  yield* api("POST", "/subscriptions/manual", byCode("pix", "pix"))
  for (const name of ["card", "boleto", "pix"]) {
    const { status, text } = yield* added(name, `p-${name}`)
    assert.strictEqual(status, 200, text)
  }
  yield* call("POST", "/sandbox/faults", {
    body: { clientId: "sandbox", call: "reverse", fault: { type: "Denied", code: "12" } }
  })
  yield* control("/clock/advance", { bySeconds: 3_600 })
  yield* Queue.take(there.received)
  // It is recorded once the response is there.
  yield* advanceUntil(Effect.map(call("GET", `${of}/deliveries`), ({ json }) => json.deliveries[0].attempts === 1))
})

/** The number of the newest delivery. */
const newest = Effect.map(call("GET", `${of}/deliveries`), ({ json }) => json.deliveries[0].webhookId as number)

const stores: Readonly<Record<string, Effect.Effect<SandboxOptions["database"], unknown, Scope.Scope>>> = {
  SQLite: Effect.succeed(":memory:"),
  PostgreSQL: Effect.map(newDatabase, Redacted.make)
}

for (const [name, database] of Object.entries(stores)) {
  const onStore = <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.flatMap(database, (database) => onServer({ database })(test))

  describe(`snapshots of a company (${name})`, () => {
    it.effect("restore the rows of every list, also at the providers, and a reset removes all", () =>
      Effect.gen(function* () {
        yield* filled
        const taken = yield* control("/snapshots", { name: "base" })
        assert.deepInclude(taken.json, { name: "base" })
        assert.isAbove(taken.json.rows, 20)
        const before = yield* lists
        yield* control("/payments", { myId: "p-pix" })
        yield* api("PUT", "/transactions/p-card/myId/reverse", {})
        yield* added("card", "later")
        yield* call("DELETE", "/sandbox/faults?clientId=sandbox")
        yield* control("/clock/advance", { bySeconds: 86_400 * 40 })
        assert.notDeepEqual(yield* lists, before)
        const seen = yield* newest
        const restored = yield* control("/snapshots/base/restore")
        assert.deepStrictEqual([restored.status, restored.json], [200, { restored: true }])
        assert.deepStrictEqual(yield* lists, before)
        // New rows have numbers that no client has seen.
        const paid = yield* control("/payments", { myId: "p-pix" })
        assert.strictEqual(paid.json.status, "payedPix", paid.text)
        assert.isAbove(yield* newest, seen)
        assert.strictEqual((yield* added("card", "later")).status, 200)
        assert.strictEqual((yield* control("/reset")).status, 200)
        const empty = yield* lists
        for (const list of ["customers", "subscriptions", "transactions", "charges", "plans", "cards"]) {
          assert.deepInclude(empty[list], { totalQtdFoundInPage: 0 }, list)
        }
        assert.deepStrictEqual(
          [empty["events"], empty["payments"], empty["ledger"], empty["faults"], empty["clock"]],
          [{ events: [] }, { payments: [], next: null }, { entries: [], next: null }, { faults: [] }, 0]
        )
        yield* control("/snapshots/base/restore")
        assert.deepStrictEqual(yield* lists, before)
      }).pipe(onStore)
    )

    it.effect("are not changed by open requests with a hanging provider, which clients repeat", () => {
      const { errors, logged } = errorLines()
      return Effect.gen(function* () {
        yield* api("POST", "/subscriptions/manual", byCard(cards.captured, "card"))
        yield* added("card", "first")
        yield* control("/snapshots", { name: "base" })
        const before = yield* lists
        for (const kind of ["charge", "charge", "reverse"]) {
          yield* call("POST", "/sandbox/faults", {
            body: { clientId: "sandbox", call: kind, fault: { type: "Hang", isDone: true } }
          })
        }
        const bearer = yield* token
        const hanging = yield* Effect.forEach(
          [
            call("POST", "/v2/transactions/card/myId/add", { token: bearer, body: payment("hangs") }),
            call("POST", "/v2/transactions/card/myId/add", {
              token: bearer,
              body: payment("keyed"),
              headers: { "idempotency-key": "k" }
            }),
            call("PUT", "/v2/transactions/first/myId/reverse", { token: bearer, body: {} })
          ],
          (sent) => Effect.forkChild(sent)
        )
        yield* untilRequested(3)
        assert.strictEqual((yield* control("/snapshots/base/restore")).status, 200)
        assert.deepStrictEqual(yield* lists, before)
        yield* advanceUntil(Effect.sync(() => hanging.every((fiber) => fiber.pollUnsafe() !== undefined)))
        for (const fiber of hanging) {
          const { json, status } = yield* Fiber.join(fiber)
          assert.strictEqual(status, 503)
          assert.match(json.error.message, /^The company was restored or reset while the request ran/)
        }
        assert.deepStrictEqual(yield* lists, before)
        assert.strictEqual((yield* added("card", "hangs")).status, 200)
        assert.deepStrictEqual(errors, [])
      }).pipe(onStore, Effect.provide(logged))
    })

    it.effect("are taken before or after each of many concurrent requests", () =>
      Effect.gen(function* () {
        yield* api("POST", "/subscriptions/manual", byCard(cards.captured, "card"))
        yield* control("/snapshots", { name: "base" })
        const bearer = yield* token
        const add = (index: number) =>
          call("POST", "/v2/transactions/card/myId/add", { token: bearer, body: payment(`p${index}`) })
        const ran = yield* Effect.all(
          [
            ...Array.from({ length: 16 }, (_, index) => add(index)),
            ...Array.from({ length: 3 }, () => control("/snapshots/base/restore"))
          ],
          { concurrency: "unbounded" }
        )
        // A restore between the two units of a payment takes it away.
        const adds = ran.slice(0, 16)
        assert.deepStrictEqual(
          ran.slice(16).map(({ status }) => status),
          [200, 200, 200]
        )
        for (const { status, text } of adds) {
          if (status !== 200) assert.include(text, "The company was restored or reset while the request ran")
        }
        // What the company has, its provider has, and nothing else.
        const { Transactions } = (yield* api("GET", `/transactions${page}`)).json
        const { entries } = (yield* call("GET", "/sandbox/ledger?clientId=sandbox")).json
        const charged = entries.filter(({ call }: { readonly call: string }) => call === "charge")
        const sorted = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => a - b)
        assert.deepStrictEqual(
          sorted(charged.map((entry: { readonly transactionId: number }) => entry.transactionId)),
          sorted(Transactions.map((one: { readonly svcPayId: number }) => one.svcPayId))
        )
        assert.deepStrictEqual(
          Transactions.filter((one: { readonly status: string }) => one.status !== "captured"),
          []
        )
      }).pipe(onStore)
    )
  })
}

/** The errors in the server's log. */
const errorLines = () => {
  const errors: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel === "Error" || logLevel === "Fatal") errors.push(message)
  })
  return { errors, logged: Logger.layer([logger]) }
}

/** Waits until the providers have the given number of hanging requests. */
const untilRequested = Effect.fnUntraced(function* (requests: number) {
  const hang = ({ fault }: { readonly fault: string | null }) => fault === "Hang"
  while ((yield* call("GET", "/sandbox/ledger?clientId=sandbox")).json.entries.filter(hang).length < requests) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
})

describe("the controls of snapshots", () => {
  it.effect("list, replace and delete by name, and report an unknown name", () =>
    Effect.gen(function* () {
      const taken = (name: string) => Effect.map(control("/snapshots", { name }), ({ json }) => json.replaced)
      assert.deepStrictEqual([yield* taken("b"), yield* taken("a"), yield* taken("b")], [undefined, undefined, true])
      const names = Effect.map(call("GET", `${of}/snapshots`), ({ json }) =>
        json.snapshots.map(({ name }: { readonly name: string }) => name)
      )
      assert.deepStrictEqual(yield* names, ["a", "b"])
      assert.deepStrictEqual((yield* call("DELETE", `${of}/snapshots/a`)).json, { deleted: true })
      assert.deepStrictEqual(yield* names, ["b"])
      for (const [method, path] of [
        ["DELETE", `${of}/snapshots/a`],
        ["POST", `${of}/snapshots/a/restore`],
        ["POST", "/sandbox/companies/nobody/reset"]
      ] as const) {
        assert.strictEqual((yield* call(method, path)).status, 404, path)
      }
      const message = Effect.map(control("/snapshots/nothing/restore"), ({ json }) => json.error.message)
      const none = "The company has no snapshot of that name; it has"
      assert.strictEqual(yield* message, `${none} "b"`)
      for (const name of ["c", "d", "e", "f", "g"]) yield* control("/snapshots", { name })
      assert.strictEqual(yield* message, `${none} "b", "c", "d", "e", "f", 1 more`)
      for (const body of [{}, { name: "." }, { name: ".." }]) {
        const refused = yield* control("/snapshots", body)
        assert.hasAllKeys(refused.json.error.details, ["Snapshot.name"])
      }
    }).pipe(onServer())
  )
})
