/**
 * Minutes of load on a separate program, at half of its capacity. It retains acknowledged writes, its memory and its
 * write-ahead log stay bounded, payments do not become slower, and new clients are served.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { receiver, request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

const prove = inject("prove")
const minutes = prove.long ? (prove.count ?? 10) : 10
const clients = 16

/** Seconds in which the clients pay as fast as they can; from then on at half of that rate. */
const sprint = 15

/** The log is moved into the file at 8 MiB, and the writes of a busy moment may come on top. */
const maxLog = 32
const killable = fileURLToPath(new URL("./fixtures/Killable.ts", import.meta.url))

const started = (database: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly child: ChildProcess; readonly url: string }>((resume) => {
      const child = spawn(process.execPath, [killable, database], { stdio: ["ignore", "pipe", "inherit"] })
      let printed = ""
      child.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString()
        const url = /http:\/\/\S+/.exec(printed)?.[0]
        if (url !== undefined) resume(Effect.succeed({ child, url }))
      })
      child.once("exit", () => resume(Effect.die(new Error(`The child ended before it listened: ${printed}`))))
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Resident memory in MiB, from Linux. */
const residentOf = ({ pid }: ChildProcess): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 2 ** 20

/** The write-ahead log in MiB. */
const logOf = (database: string): number =>
  (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20

/** One second of the run. */
interface Second {
  readonly payments: number
  readonly mebibytes: number
  readonly log: number
  readonly health: number
  /** Milliseconds of the payments of this second. */
  readonly latencies: ReadonlyArray<number>
}

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

/** The measurements of a part of the run. */
const summary = (seconds: ReadonlyArray<Second>) => {
  const latencies = seconds.flatMap((second) => second.latencies)
  return {
    payments: seconds.reduce((sum, { payments }) => sum + payments, 0),
    p50: Math.round(percentile(latencies, 0.5)),
    p99: Math.round(percentile(latencies, 0.99)),
    MiB: Math.round(median(seconds.map(({ mebibytes }) => mebibytes))),
    "log MiB": Math.round(Math.max(...seconds.map(({ log }) => log)))
  }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const soak = async (url: string, child: ChildProcess, database: string, hooks: string) => {
  const started = performance.now()
  const end = started + sprint * 1_000 + minutes * 60_000
  // A token lives ten minutes.
  let token = await tokenAt(url, "sandbox", "sandbox-secret")
  const written: Array<string> = []
  const unexpected: Array<string> = []
  const seconds: Array<Second> = []
  let latencies: Array<number> = []
  /** Milliseconds between two payments of a client, once it is known what half of the peak is. */
  let pace = 0
  await request("PUT", `${url}/v2/webhooks`, { token, body: { url: hooks, events: ["transaction.updateStatus"] } })

  const client = async (index: number) => {
    const sub = `sub ${index}`
    const numbers = Object.values(cards)
    await request("POST", `${url}/v2/subscriptions/manual`, { token, body: byCard(numbers[index % 3]!, sub) })
    const add = `${url}/v2/transactions/${encodeURIComponent(sub)}/myId/add`
    for (let tick = 0; performance.now() < end; tick += 1) {
      const started = performance.now()
      const myId = `${index}-${tick}`
      // Every third is due, and is charged at once.
      const body = payment(myId, tick % 3 === 0 ? "2026-01-01" : "2099-01-01")
      const answer = await request("POST", add, { token, body, headers: { "idempotency-key": myId } })
      latencies.push(performance.now() - started)
      if (answer.status === 200) written.push(myId)
      else if (answer.status !== 503) unexpected.push(`${answer.status} ${answer.text}`)
      const list = await request("GET", `${url}/v2/transactions?startAt=0&limit=20&order=payday.desc`, { token })
      if (list.status !== 200 && list.status !== 503) unexpected.push(`${list.status} ${list.text}`)
      await pause(Math.max(0, started + pace - performance.now()))
    }
  }

  const watch = async () => {
    while (performance.now() < end) {
      const before = performance.now()
      // `connection: close` makes it a new connection each time.
      const health = await request("GET", `${url}/health`, { headers: { connection: "close" } })
      const wait = performance.now() - before
      if (health.status !== 200) unexpected.push(`health: ${health.status}`)
      if (pace === 0 && performance.now() - started >= sprint * 1_000) {
        pace = (2 * clients * (performance.now() - started)) / Math.max(1, written.length)
        console.log(`peak: ${((2_000 * clients) / pace).toFixed(0)} payments a second, each with a list`)
      } else if (pace > 0) {
        const log = logOf(database)
        seconds.push({ payments: latencies.length, mebibytes: residentOf(child), log, health: wait, latencies })
        if (seconds.length % 60 === 0) console.log(seconds.length, JSON.stringify(summary(seconds.slice(-60))))
        if (seconds.length % 300 === 0) token = await tokenAt(url, "sandbox", "sandbox-secret")
      }
      latencies = []
      await pause(1_000)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, index) => client(index))])
  return { written, unexpected, seconds, token: await tokenAt(url, "sandbox", "sandbox-secret") }
}

describe(`a sandbox under load for ${minutes} minutes`, () => {
  it.live(
    "retains acknowledged writes, with bounded memory and log, and does not slow down",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { url: hooks } = yield* receiver
        const database = join(folder, "sandbox.db")
        const { child, url } = yield* started(database)
        const { seconds, token, unexpected, written } = yield* Effect.promise(() => soak(url, child, database, hooks))
        assert.deepStrictEqual(unexpected.slice(0, 10), [])
        assert.isAbove(written.length, minutes * 60)

        for (let at = 0; at < written.length; at += 100) {
          const requested = written.slice(at, at + 100)
          const query = `startAt=0&limit=100&myIds=${requested.join(",")}`
          const { json } = yield* Effect.promise(() => request("GET", `${url}/v2/transactions?${query}`, { token }))
          assert.lengthOf(json.Transactions, requested.length)
        }

        const fifth = Math.floor(seconds.length / 5)
        const parts = Array.from({ length: 5 }, (_, part) => summary(seconds.slice(part * fifth, (part + 1) * fifth)))
        console.table(parts)
        const [, early] = parts
        const late = parts[4]
        assert.isAtMost(late!.MiB, early!.MiB * 1.5 + 32)
        assert.isAtMost(late!.p50, early!.p50 * 2 + 20)
        assert.isAtMost(Math.max(...seconds.map(({ log }) => log)), maxLog)
        const waits = seconds.map(({ health }) => health)
        assert.isAtMost(median(waits), 1_000)
        assert.isAtMost(Math.max(...waits), 10_000)
      }),
    (minutes + 10) * 60_000
  )
})
