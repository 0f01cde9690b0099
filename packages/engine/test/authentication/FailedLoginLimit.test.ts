import { assert, describe, it } from "@effect/vitest"
import { NotAuthenticated } from "@parcela/engine/authentication/AccessDenied"
import { FailedLoginLimit } from "@parcela/engine/authentication/FailedLoginLimit"
import { Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"

const here = Option.some("203.0.113.7")
const elsewhere = Option.some("203.0.113.8")

const right = Effect.succeed("in")
const wrong = Effect.fail(new NotAuthenticated({ message: "wrong" }))

const login = Effect.fnUntraced(function* (
  check: Effect.Effect<string, NotAuthenticated>,
  clientId = "a",
  address = here
) {
  const limit = yield* FailedLoginLimit
  return yield* limit.guard(clientId, address, check).pipe(Effect.catch((error) => Effect.succeed(error._tag)))
})

const inLimit = Effect.provide(FailedLoginLimit.layer)

describe("the limit of failed logins", () => {
  it.effect(
    "refuses logins after ten failures, even with the right secret, until a minute after the first failure",
    () =>
      Effect.gen(function* () {
        for (let attempts = 0; attempts < 10; attempts++) assert.strictEqual(yield* login(wrong), "NotAuthenticated")
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(yield* login(wrong), "TooManyFailedLogins")
        assert.strictEqual(yield* login(right), "TooManyFailedLogins")
        const limit = yield* FailedLoginLimit
        const error = yield* Effect.flip(limit.guard("a", here, right))
        assert.strictEqual(Duration.toMillis(error.retryAfter), 1_000)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* login(right), "in")
      }).pipe(inLimit)
  )

  it.effect("does not block the client at another address, or another client at this address", () =>
    Effect.gen(function* () {
      for (let attempts = 0; attempts < 20; attempts++) yield* login(wrong)
      assert.strictEqual(yield* login(right, "a", elsewhere), "in")
      assert.strictEqual(yield* login(right, "b", here), "in")
    }).pipe(inLimit)
  )

  it.effect("is reset by a successful login", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        for (let attempts = 0; attempts < 9; attempts++) assert.strictEqual(yield* login(wrong), "NotAuthenticated")
        assert.strictEqual(yield* login(right), "in")
      }
    }).pipe(inLimit)
  )

  it.effect("refuses logins after failures with a hundred client ids from one address or IPv6 network", () =>
    Effect.gen(function* () {
      for (const [first, last] of [
        ["203.0.113.9", "203.0.113.9"],
        ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"]
      ] as const) {
        for (let attempts = 0; attempts < 100; attempts++) yield* login(wrong, `id ${attempts}`, Option.some(first))
        assert.strictEqual(yield* login(right, "another", Option.some(last)), "TooManyFailedLogins")
      }
      assert.strictEqual(yield* login(right, "another", Option.some("2001:db8:1:3::1")), "in")
    }).pipe(inLimit)
  )

  it.effect("fails logins that were running when the limit was reached", () =>
    Effect.gen(function* () {
      const slowly = Effect.andThen(Effect.sleep("1 second"), right)
      const running = yield* Effect.forkChild(login(slowly))
      yield* Effect.yieldNow
      for (let attempts = 0; attempts < 10; attempts++) yield* login(wrong)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(running), "TooManyFailedLogins")
    }).pipe(inLimit)
  )

  it.effect("stores a bounded number of counts", () =>
    Effect.gen(function* () {
      for (let attempts = 0; attempts < 10; attempts++) yield* login(wrong)
      for (let other = 0; other < 6_000; other++) {
        yield* login(wrong, "x", Option.some(`198.51.${other >> 8}.${other & 255}`))
      }
      // The oldest count made room for the newest.
      assert.strictEqual(yield* login(right), "in")
    }).pipe(inLimit)
  )
})
