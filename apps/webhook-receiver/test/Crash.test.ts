import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { join } from "node:path"
import { inject } from "vitest"
import { bodyOf, confirmHash, secretText, signed } from "./fixtures/Deliveries.ts"
import { type Running, start } from "./fixtures/Process.ts"

const settings = Effect.map(temporaryFolder, (folder) => ({
  PARCELA_RECEIVER_DATABASE: join(folder, "receiver.db"),
  PARCELA_WEBHOOK_SECRET: secretText,
  PARCELA_CONFIRM_HASH: confirmHash,
  PARCELA_RECEIVER_OUTPUT: "json"
}))

const addressOf = (running: Running) =>
  Effect.map(running.matching("stderr", /http:\/\/[\d.:]+/), ([address]) => address)

interface Line {
  readonly webhookId: number
  readonly attempts?: number
}

const linesOf = (running: Running): ReadonlyArray<Line> =>
  running.stdout
    .split("\n")
    // The last line of a killed process may be incomplete.
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line): Line => JSON.parse(line))

const idsOf = (lines: ReadonlyArray<Line>) => lines.map(({ webhookId }) => webhookId)

/** A different payment for each delivery. Every fourth delivery has the same payment. */
const deliveryOf = (id: number) => {
  const svcPayId = id % 4 === 0 ? 1 : id
  return bodyOf(id, {
    payload: JSON.stringify({ Transaction: { myId: `pay-${svcPayId}`, svcPayId, status: "captured" } })
  })
}

/** Sends deliveries until the receiver is gone. Returns the acknowledged ids. */
const sendUntil = Effect.fnUntraced(function* (
  address: string,
  nextId: () => number | undefined,
  acknowledged: (id: number) => void
) {
  for (let id = nextId(); id !== undefined; id = nextId()) {
    const init = signed(String(id), deliveryOf(id), yield* Clock.currentTimeMillis)
    const status = yield* Effect.promise(() =>
      fetch(address, init).then(
        async (response) => (await response.text(), response.status),
        () => 0
      )
    )
    if (status === 0) return
    assert.strictEqual(status, 200)
    acknowledged(id)
  }
})

/** Waits until the lines contain all ids. */
const printing = (running: Running, ids: ReadonlySet<number>, before: ReadonlyArray<Line>) =>
  Effect.callback<void>((resume) => {
    const check = () => {
      const printed = new Set(idsOf([...before, ...linesOf(running)]))
      if ([...ids].every((id) => printed.has(id))) resume(Effect.void)
    }
    running.child.stdout!.on("data", () => setImmediate(check))
    check()
  })

const senders = 8

/** The acknowledged deliveries after which the program is killed. */
const kills = inject("prove").long ? [40, 90, 25, 110] : [40]

// Live tests: the process uses the wall clock, so the deliveries must be signed with its time.
describe("the program that is killed repeatedly under load", () => {
  it.live(
    "prints every acknowledged delivery in one of its runs",
    () =>
      Effect.gen(function* () {
        const env = yield* settings
        const acknowledged = new Set<number>()
        const printed: Array<Line> = []
        let last = 0
        for (const upTo of kills) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const running = yield* start(env)
              const address = yield* addressOf(running)
              const goal = acknowledged.size + upTo
              yield* Effect.forkChild(
                Effect.all(
                  Array.from({ length: senders }, () =>
                    sendUntil(
                      address,
                      () => ++last,
                      (id) => {
                        acknowledged.add(id)
                        if (acknowledged.size >= goal) running.child.kill("SIGKILL")
                      }
                    )
                  ),
                  { concurrency: "unbounded" }
                )
              )
              assert.deepStrictEqual(yield* Deferred.await(running.exited), [null, "SIGKILL"])
              printed.push(...linesOf(running))
            })
          )
        }
        const running = yield* start(env)
        yield* addressOf(running)
        yield* printing(running, acknowledged, printed).pipe(Effect.timeoutOption("40 seconds"))
        const lines = [...printed, ...linesOf(running)]
        const all = new Set(idsOf(lines))
        assert.deepStrictEqual(
          [...acknowledged].filter((id) => !all.has(id)),
          []
        )
        // A line without `attempts` is the first line of its delivery.
        const first = idsOf(lines.filter(({ attempts }) => attempts === undefined))
        assert.strictEqual(new Set(first).size, first.length)
      }),
    120_000
  )

  it.live(
    "prints most of 500 deliveries before the last is acknowledged, and the others after SIGTERM",
    () =>
      Effect.gen(function* () {
        const running = yield* start(yield* settings)
        const address = yield* addressOf(running)
        const count = 500
        let last = 0
        const send = sendUntil(
          address,
          () => (last < count ? ++last : undefined),
          () => {}
        )
        yield* Effect.all(
          Array.from({ length: senders }, () => send),
          { concurrency: "unbounded" }
        )
        const printedByThen = linesOf(running).length
        assert.deepStrictEqual(yield* running.stop("SIGTERM"), [0, null])
        assert.deepStrictEqual(
          idsOf(linesOf(running)).toSorted((a, b) => a - b),
          Array.from({ length: count }, (_, index) => index + 1)
        )
        assert.isAbove(printedByThen, count * 0.8)
      }),
    120_000
  )
})
