import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type InterfaceOperation, interfaceOperations, pathOf } from "@parcela/test-world/InterfaceOperations"
import { ParcelaClient } from "../../src/client/ParcelaClient.ts"
import { examples } from "../fixtures/Examples.ts"
import * as FakeHttp from "./FakeHttp.ts"

const added: FakeHttp.Played = [200, examples.addTransaction.response]
const payment = examples.addTransaction.request
const contract = { typeId: "myId", id: "contract 1/2" } as const
const add = (client: ParcelaClient["Service"], key?: string) =>
  client.transactions.add(contract, payment, key === undefined ? {} : { idempotencyKey: key })
/** Yields until this number of operations has been sent. */
const untilSent = Effect.fnUntraced(function* (fake: ReturnType<typeof FakeHttp.make>, count = 1) {
  for (let yields = 0; yields < 1_000 && FakeHttp.sent(fake).length < count; yields++) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  assert.lengthOf(FakeHttp.sent(fake), count)
})
const page = { startAt: 0, limit: 2 }
const none: FakeHttp.Played = [200, { totalQtdFoundInPage: 0, Transactions: [] }]

/** A client with methods that are called by name. */
interface Untyped {
  readonly [group: string]: { readonly [method: string]: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown> }
}

describe("ParcelaClient", () => {
  it.effect("sends each operation to its path, with a bearer token and the given body", () =>
    Effect.gen(function* () {
      const operations = interfaceOperations.filter(({ name }) => name !== "token.token")
      const requestOf = ({ operationId }: InterfaceOperation): unknown => examples[operationId].request
      const fake = FakeHttp.operations(
        ...operations.map(({ operationId }) => [200, examples[operationId].response] as const)
      )
      yield* FakeHttp.using(fake, (client) =>
        Effect.forEach(operations, (operation) => {
          const [group = "", method = ""] = operation.name.split(".")
          const entity = operation.path.includes(":typeId") ? [contract] : []
          const body = requestOf(operation)
          // The test of types proves the types of the arguments.
          return (client as unknown as Untyped)[group]![method]!(...entity, ...(body === undefined ? [] : [body]))
        })
      )
      const sent = FakeHttp.sent(fake).map(({ authorization, body, method, path }) => ({
        authorization,
        body,
        method,
        path: path.replace("?startAt=0&limit=100", "")
      }))
      const expected = operations.map((operation) => ({
        authorization: "Bearer t",
        body: requestOf(operation),
        method: operation.method,
        path: `/v2${pathOf(operation, contract.id)}`
      }))
      assert.deepStrictEqual(sent, expected)
    })
  )

  it.effect("writes identifiers into the path and filters into the query", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.make(({ path }) =>
        path.endsWith("/token")
          ? FakeHttp.token("t")
          : path.includes("/subscriptions")
            ? [200, examples.listSubscriptions.response]
            : path.endsWith("/retry")
              ? [200, examples.retryTransaction.response]
              : none
      )
      yield* FakeHttp.using(fake, (client) =>
        Effect.gen(function* () {
          yield* client.subscriptions.list({ ...page, status: ["active"], svcPayIds: [1, 2] })
          yield* client.transactions.retry({ typeId: "svcPayId", id: 4 })
          yield* client.transactions.retry(contract)
          yield* client.transactions.list({ ...page, order: [{ field: "payday", direction: "desc" }] })
        })
      )
      assert.deepStrictEqual(
        FakeHttp.sent(fake).map(({ path }) => path),
        [
          "/v2/subscriptions?startAt=0&limit=2&svcPayIds=1%2C2&status=active",
          "/v2/transactions/4/svcPayId/retry",
          "/v2/transactions/contract%201%2F2/myId/retry",
          "/v2/transactions?startAt=0&limit=2&order=payday.desc"
        ]
      )
    })
  )

  it.effect("generates a different key for every write", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations(added)
      yield* FakeHttp.using(fake, (client) => Effect.andThen(add(client), add(client)))
      const keys = FakeHttp.sent(fake).map(({ key }) => key)
      assert.match(keys[0]!, /^[0-9a-f-]{36}$/)
      assert.notStrictEqual(keys[0], keys[1])
    })
  )

  it.effect("shows the message of a refusal once if it is also the only problem", () =>
    Effect.gen(function* () {
      const node = { message: "Charge.myId: is in use", details: { "Charge.myId": ["is in use"] } }
      const fake = FakeHttp.operations([400, { error: node }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.strictEqual(error.message, "The service responded with 400: Charge.myId: is in use")
    })
  )

  it.effect.each([
    ["a lost answer", "lost"],
    ["an answer that never comes", "silent"],
    ["a 500", [500, { error: { message: "oh" } }]],
    ["a 503 of a proxy", [503, "<html>no</html>"]],
    ["a 409", [409, { error: { message: "running" } }]]
  ] as ReadonlyArray<[string, FakeHttp.Played]>)("retries a write after %s, under the same key", ([, played]) =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations(played, added)
      const answer = yield* FakeHttp.using(fake, (client) => add(client, "key-1"))
      assert.strictEqual(answer.Transaction.status, "denied")
      assert.deepStrictEqual(
        FakeHttp.sent(fake).map(({ key }) => key),
        ["key-1", "key-1"]
      )
    })
  )

  it.effect.each([
    ["losses", "lost"],
    ["silence", "silent"],
    ["500s", [500, { error: { message: "oh" } }]],
    ["504s", [504, { error: { message: "not known", details: { "Transaction.status": ["asked"] } } }]],
    ["409s", [409, { error: { message: "running" } }]]
  ] as ReadonlyArray<[string, FakeHttp.Played]>)(
    "reports an unknown outcome of a write, not a failure, after %s",
    ([, played]) =>
      Effect.gen(function* () {
        const fake = FakeHttp.operations(played)
        const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client, "key-1")))
        assert.strictEqual(error._tag, "UnknownOutcome")
        assert.include(error.message, `Repeat it with the same Idempotency-Key, "key-1"`)
        assert.strictEqual(FakeHttp.sent(fake).length, 3)
      })
  )

  it.effect(
    "reports an unknown outcome when a refusal follows a lost response, because the refusal may result from a success",
    () =>
      Effect.gen(function* () {
        const taken: FakeHttp.Played = [400, { error: { message: "no", details: { "Transaction.myId": ["in use"] } } }]
        const error = yield* FakeHttp.using(FakeHttp.operations("lost", taken), (client) => Effect.flip(add(client)))
        assert.strictEqual(error._tag, "UnknownOutcome")
        assert.include(error.message, "Transaction.myId: in use")
      })
  )

  it.effect(
    "returns the key of a write that is interrupted after it was sent, in the exit and in the rejection of a promise",
    () =>
      Effect.gen(function* () {
        const fake = FakeHttp.operations("silent")
        yield* Effect.gen(function* () {
          const client = yield* ParcelaClient
          const fiber = yield* Effect.forkChild(add(client), { startImmediately: true })
          yield* untilSent(fake)
          yield* Fiber.interrupt(fiber)
          const exit = yield* Fiber.await(fiber)
          assert.isTrue(Exit.hasInterrupts(exit))
          const error: object = Option.getOrThrow(Exit.findErrorOption(exit))
          const [asked] = FakeHttp.sent(fake)
          assert.deepInclude(error, { _tag: "UnknownOutcome", idempotencyKey: asked!.key, attempts: 1 })

          const controller = new AbortController()
          const promise = Effect.runPromise(add(client), { signal: controller.signal })
          yield* untilSent(fake, 2)
          controller.abort()
          const rejection = yield* Effect.promise(() => promise.catch((error: unknown) => error))
          assert.deepInclude(rejection as object, {
            _tag: "UnknownOutcome",
            idempotencyKey: FakeHttp.sent(fake)[1]!.key
          })
        }).pipe(Effect.provide(ParcelaClient.layerNoDeps(FakeHttp.options).pipe(Layer.provide(fake.layer))))
      })
  )

  it.effect("interrupts an unsent write without an error, because nothing can have happened", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.make(() => "silent")
      yield* Effect.gen(function* () {
        const client = yield* ParcelaClient
        const fiber = yield* Effect.forkChild(add(client), { startImmediately: true })
        for (let yields = 0; yields < 1_000 && fake.calls.length < 1; yields++) {
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        }
        assert.deepStrictEqual(
          fake.calls.map(({ path }) => path),
          ["/v2/token"]
        )
        yield* Fiber.interrupt(fiber)
        const exit = yield* Fiber.await(fiber)
        assert.isTrue(Exit.hasInterrupts(exit))
        assert.deepStrictEqual(Exit.findErrorOption(exit), Option.none())
      }).pipe(Effect.provide(ParcelaClient.layerNoDeps(FakeHttp.options).pipe(Layer.provide(fake.layer))))
    })
  )

  it.effect("reports the key before it sends, for a caller that does not see the exit", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations("silent")
      yield* Effect.gen(function* () {
        const client = yield* ParcelaClient
        const keys: Array<string> = []
        const adding = client.transactions.add(
          { typeId: "myId", id: "contract" },
          { myId: "p", value: 1, payday: "2026-09-21" },
          { onKey: (key) => Effect.sync(() => void keys.push(key)) }
        )
        const fiber = yield* Effect.forkChild(Effect.timeoutOption(adding, "1 second"), { startImmediately: true })
        yield* untilSent(fake)
        yield* TestClock.adjust("1 second")
        yield* Fiber.await(fiber)
        assert.deepStrictEqual(
          keys,
          FakeHttp.sent(fake).map(({ key }) => key)
        )
      }).pipe(Effect.provide(ParcelaClient.layerNoDeps(FakeHttp.options).pipe(Layer.provide(fake.layer))))
    })
  )

  it.effect("reports a write as unreachable when no connection succeeded", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations("refused")
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.strictEqual(error._tag, "Unreachable")
      assert.strictEqual(
        error.message,
        "No response from http://api.test/v2: ECONNREFUSED. Check the base URL, and that the service is running."
      )
    })
  )

  it.effect("returns a refusal of the first attempt unchanged, without a retry", () =>
    Effect.gen(function* () {
      const details = { "Transaction.value": ["must be at least one cent"] }
      const fake = FakeHttp.operations([400, { error: { message: "Validation errors", details } }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.strictEqual(error._tag, "ApiFailure")
      assert.deepInclude(error, { status: 400, serverMessage: "Validation errors", details })
      assert.strictEqual(
        error.message,
        "The service responded with 400: Validation errors (Transaction.value: must be at least one cent)"
      )
      assert.strictEqual(FakeHttp.sent(fake).length, 1)
    })
  )

  it.effect.each([
    ["a lost answer", "lost"],
    ["no connection", "refused"],
    ["a 429", [429, { error: { message: "slow down" } }, { "retry-after": "3" }]],
    ["a 500", [500, ""]]
  ] as ReadonlyArray<[string, FakeHttp.Played]>)("retries a read after %s, at most twice", ([, played]) =>
    Effect.gen(function* () {
      const recovers = FakeHttp.operations(played, none)
      yield* FakeHttp.using(recovers, (client) => client.transactions.list(page))
      assert.strictEqual(FakeHttp.sent(recovers).length, 2)
      const stays = FakeHttp.operations(played)
      const error = yield* FakeHttp.using(stays, (client) => Effect.flip(client.transactions.list(page)))
      assert.include(["ApiFailure", "Unreachable"], error._tag)
      assert.strictEqual(FakeHttp.sent(stays).length, 3)
    })
  )

  it.effect("does not retry a write after a 429, which has a Retry-After", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations([429, { error: { message: "slow down" } }, { "retry-after": "3" }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.strictEqual(error.message, "The service responded with 429: slow down Try again in 3 s.")
      assert.strictEqual(FakeHttp.sent(fake).length, 1)
    })
  )

  it.effect("validates a request before it sends it", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations(added)
      const errors = yield* FakeHttp.using(fake, (client) =>
        Effect.all([
          Effect.flip(client.transactions.add(contract, { myId: "", value: 0, payday: "2026-02-30" })),
          Effect.flip(client.transactions.retry({ typeId: "svcPayId", id: 0 })),
          Effect.flip(client.transactions.list({ startAt: 0, limit: 101 })),
          Effect.flip(add(client, "two words"))
        ])
      )
      assert.deepStrictEqual(
        errors.map((error) => [error._tag, Object.keys((error as { details: object }).details)]),
        [
          ["InvalidRequest", ["Transaction.myId", "Transaction.value", "Transaction.payday"]],
          ["InvalidRequest", ["Transaction.svcPayId"]],
          ["InvalidRequest", ["Transaction.limit"]],
          ["InvalidRequest", ["Request.idempotencyKey"]]
        ]
      )
      assert.strictEqual(fake.calls.length, 0)
    })
  )

  it.effect("decodes future responses: new statuses, new keys, nulls and numbers as text", () =>
    Effect.gen(function* () {
      const transaction = {
        ...examples.addTransaction.response.Transaction,
        svcPayId: "4",
        value: "12990",
        status: "heldForReview",
        tid: null,
        CreditCard: null,
        Antifraud: null,
        Score: { score: 1 }
      }
      const fake = FakeHttp.operations([200, { Transaction: transaction }])
      const { Transaction } = yield* FakeHttp.using(fake, (client) => add(client))
      assert.deepInclude(Transaction as object, { svcPayId: 4, value: 12990, status: "heldForReview" })
      for (const key of ["tid", "CreditCard", "Antifraud", "Score"]) assert.notProperty(Transaction, key)
    })
  )

  it.effect(
    "reports a write as done despite invalid fields in its response, and reports these fields to the observer",
    () =>
      Effect.gen(function* () {
        const { Subscription, type } = examples.createManualSubscription.response
        const odd = {
          ...Subscription,
          Customer: { ...Subscription.Customer, Address: "-" },
          PaymentMethodCreditCard: []
        }
        const seen: Array<unknown> = []
        const fake = FakeHttp.operations([200, { type, Subscription: odd }])
        const created = yield* FakeHttp.using(
          fake,
          (client) => client.subscriptions.createManual(examples.createManualSubscription.request),
          { onResponse: ({ undecoded }) => Effect.sync(() => seen.push(...undecoded.map(({ path }) => path))) }
        )
        assert.strictEqual(created.Subscription.svcPayId, Subscription.svcPayId)
        assert.strictEqual(created.Subscription.Customer?.name, Subscription.Customer.name)
        assert.deepStrictEqual(seen, [
          "response.Subscription.Customer.Address",
          "response.Subscription.PaymentMethodCreditCard"
        ])
      })
  )

  it.effect("retains the body of a write's response without an identifier, and shows none of it", () =>
    Effect.gen(function* () {
      const body = {
        type: true,
        Transaction: { ...examples.addTransaction.response.Transaction, svcPayId: "-", tid: "hidden-tid" }
      }
      const fake = FakeHttp.operations([200, body])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert(error._tag === "Unreadable")
      assert.strictEqual(error.status, 200)
      assert.match(error.reason, /^response\.Transaction\.svcPayId is missing \(.* is text, expected was/)
      assert.deepStrictEqual(JSON.parse(Redacted.value(error.body)), body)
      const [sent] = FakeHttp.sent(fake)
      assert.isDefined(error.idempotencyKey)
      assert.strictEqual(error.idempotencyKey, sent?.key)
      assert.notInclude(`${error.message} ${JSON.stringify(error)} ${String(error)}`, "hidden-tid")
      assert.strictEqual(FakeHttp.sent(fake).length, 1)
    })
  )

  it.effect("treats an error node as a failure with any status", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations([200, { error: { message: "no" } }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.deepInclude(error, { _tag: "ApiFailure", status: 200, serverMessage: "no" })
    })
  )

  it.effect.each([
    ["no JSON", 200, "hello"],
    ["another shape", 200, "{}"],
    ["a redirect", 302, ""]
  ] as const)("reports an unreadable response: %s", ([, status, body]) =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations([status, body])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.deepInclude(error, { _tag: "Unreadable", status })
      assert.strictEqual(FakeHttp.sent(fake).length, 1)
    })
  )

  it.effect("shows nothing of an unreadable response that contains a secret", () =>
    Effect.gen(function* () {
      const body = `{"type":true,"confirmHash":"0123456789abcdef0123456789abcdef","events":[`
      const fake = FakeHttp.operations([200, body])
      const error = yield* FakeHttp.using(fake, (client) =>
        Effect.flip(client.webhooks.edit({ url: "https://shop.example/", events: [] }))
      )
      assert.deepInclude(error, { _tag: "Unreadable", status: 200 })
      assert.notInclude(`${error.message} ${JSON.stringify(error)}`, "0123456789abcdef")
    })
  )

  it.effect("has no card number and no secret in its errors", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations("lost")
      const error = yield* FakeHttp.using(fake, (client) =>
        Effect.flip(client.subscriptions.createManual(examples.createManualSubscription.request))
      )
      const shown = `${error.message} ${JSON.stringify(error)} ${String(error.stack)}`
      assert.notInclude(shown, "4111111111111111")
      assert.notInclude(shown, "secret-of-the-shop")
    })
  )

  it.effect("reports every raw response to the observer", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const fake = FakeHttp.operations(added)
      yield* FakeHttp.using(fake, (client) => add(client), {
        onResponse: (response) => Effect.sync(() => seen.push(response))
      })
      assert.deepStrictEqual(seen, [
        {
          operation: "transactions.add",
          status: 200,
          requestId: undefined,
          duration: 0,
          body: examples.addTransaction.response,
          undecoded: []
        }
      ])
    })
  )
})

describe("TokenManager", () => {
  const listing = (client: ParcelaClient["Service"]) => client.transactions.list(page)
  const asks = (fake: ReturnType<typeof FakeHttp.make>) => fake.calls.filter(({ path }) => path === "/v2/token")

  it.effect("requests one token with Basic credentials for all fibers", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.make(({ path }) =>
        path === "/v2/token" ? Effect.as(Effect.sleep("1 second"), FakeHttp.token("t")) : none
      )
      yield* FakeHttp.using(
        fake,
        (client) =>
          Effect.all(
            Array.from({ length: 20 }, () => listing(client)),
            { concurrency: "unbounded" }
          ),
        { scope: "transactions.read" }
      )
      assert.strictEqual(asks(fake).length, 1)
      assert.deepInclude(asks(fake)[0]!, {
        method: "POST",
        authorization: `Basic ${btoa("shop:secret-of-the-shop")}`,
        body: { grant_type: "client_credentials", scope: "transactions.read" }
      })
      assert.strictEqual(FakeHttp.sent(fake).length, 20)
    })
  )

  it.effect("renews a token 30 seconds before it expires", () =>
    Effect.gen(function* () {
      let count = 0
      const fake = FakeHttp.make(({ path }) => (path === "/v2/token" ? FakeHttp.token(`t${++count}`) : none))
      yield* Effect.gen(function* () {
        const client = yield* ParcelaClient
        yield* listing(client)
        yield* TestClock.adjust("569 seconds")
        yield* listing(client)
        yield* TestClock.adjust("1 second")
        yield* listing(client)
      }).pipe(Effect.provide(ParcelaClient.layerNoDeps(FakeHttp.options).pipe(Layer.provide(fake.layer))))
      assert.deepStrictEqual(
        FakeHttp.sent(fake).map(({ authorization }) => authorization),
        ["Bearer t1", "Bearer t1", "Bearer t2"]
      )
    })
  )

  it.effect("replaces a refused token and repeats the request exactly once, also a write", () =>
    Effect.gen(function* () {
      let count = 0
      const fake = FakeHttp.make(({ authorization, path }) =>
        path === "/v2/token"
          ? FakeHttp.token(`t${++count}`)
          : authorization === "Bearer t1"
            ? [401, { error: { message: "expired" } }]
            : added
      )
      yield* FakeHttp.using(fake, (client) => add(client, "key-1"))
      assert.deepStrictEqual(
        FakeHttp.sent(fake).map(({ authorization, key }) => [authorization, key]),
        [
          ["Bearer t1", "key-1"],
          ["Bearer t2", "key-1"]
        ]
      )
    })
  )

  it.effect("fails when a new token is refused too", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations([401, { error: { message: "no" } }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.deepInclude(error, { _tag: "ApiFailure", status: 401 })
      assert.strictEqual(FakeHttp.sent(fake).length, 2)
    })
  )

  it.effect("requests one new token when the old one is refused for many requests", () =>
    Effect.gen(function* () {
      let count = 0
      const fake = FakeHttp.make(({ authorization, path }) =>
        path === "/v2/token"
          ? FakeHttp.token(`t${++count}`)
          : Effect.as(
              Effect.sleep("1 second"),
              authorization === "Bearer t1" ? [401, { error: { message: "no" } }] : none
            )
      )
      yield* FakeHttp.using(fake, (client) =>
        Effect.all(
          Array.from({ length: 10 }, () => listing(client)),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual(asks(fake).length, 2)
    })
  )

  it.effect("returns a failure to all waiting calls and does not cache it", () =>
    Effect.gen(function* () {
      let count = 0
      const fake = FakeHttp.make(({ path }) =>
        path !== "/v2/token"
          ? none
          : count++ === 0
            ? Effect.as(Effect.sleep("1 second"), [401, { error: { message: "wrong secret" } }])
            : FakeHttp.token("t")
      )
      yield* FakeHttp.using(fake, (client) =>
        Effect.gen(function* () {
          const first = yield* Effect.forkChild(Effect.flip(listing(client)))
          const second = yield* Effect.forkChild(Effect.flip(listing(client)))
          for (const fiber of [first, second]) assert.deepInclude(yield* Fiber.join(fiber), { status: 401 })
          assert.strictEqual(asks(fake).length, 1)
          yield* listing(client)
        })
      )
      assert.strictEqual(asks(fake).length, 2)
    })
  )

  it.effect("continues for the other calls when the first one is interrupted", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.make(({ path }) =>
        path === "/v2/token" ? Effect.as(Effect.sleep("1 second"), FakeHttp.token("t")) : none
      )
      yield* FakeHttp.using(fake, (client) =>
        Effect.gen(function* () {
          const first = yield* Effect.forkChild(listing(client), { startImmediately: true })
          const second = yield* Effect.forkChild(listing(client), { startImmediately: true })
          yield* Fiber.interrupt(first)
          yield* Fiber.join(second)
        })
      )
      assert.strictEqual(asks(fake).length, 1)
    })
  )

  it.effect("reports that a write did not happen when there is no token", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.make(() => [503, { error: { message: "starting" } }])
      const error = yield* FakeHttp.using(fake, (client) => Effect.flip(add(client)))
      assert.strictEqual(error._tag, "Unreachable")
      assert.strictEqual(FakeHttp.sent(fake).length, 0)
    })
  )

  it.effect("returns an additional token that is redacted", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations(added)
      const token = yield* FakeHttp.using(fake, (client) => client.token({ grant_type: "authorization_code" }))
      assert.strictEqual(Redacted.value(token.access_token), "t")
      assert.notInclude(JSON.stringify(token), `"t"`)
    })
  )
})
