/**
 * Minutes of load on a program of its own. It keeps what it acknowledged, its memory comes to rest, and whoever is new
 * is served while the others are at it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import { byCard, cards, payment, receiver, request, temporaryFolder, tokenAt } from "./fixtures/Service.ts"

const prove = inject("prove")
const minutes = prove.long ? (prove.count ?? 10) : 10
const clients = 16
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

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const soak = async (url: string, child: ChildProcess, hooks: string) => {
  const end = performance.now() + minutes * 60_000
  // A token lives ten minutes.
  let token = await tokenAt(url, "sandbox", "sandbox-secret")
  const written: Array<string> = []
  const unexpected: Array<string> = []
  const resident: Array<number> = []
  const waits: Array<number> = []
  await request("PUT", `${url}/v2/webhooks`, { token, body: { url: hooks, events: ["transaction.updateStatus"] } })

  const client = async (index: number) => {
    const sub = `sub ${index}`
    const numbers = Object.values(cards)
    await request("POST", `${url}/v2/subscriptions/manual`, { token, body: byCard(numbers[index % 3]!, sub) })
    const add = `${url}/v2/transactions/${encodeURIComponent(sub)}/myId/add`
    for (let turn = 0; performance.now() < end; turn += 1) {
      const myId = `${index}-${turn}`
      // Every third is due, and is charged at once.
      const body = payment(myId, turn % 3 === 0 ? "2026-01-01" : "2099-01-01")
      const answer = await request("POST", add, { token, body, headers: { "idempotency-key": myId } })
      if (answer.status === 200) written.push(myId)
      else if (answer.status !== 503) unexpected.push(`${answer.status} ${answer.text}`)
      const list = await request("GET", `${url}/v2/transactions?startAt=0&limit=20&order=payday.desc`, { token })
      if (list.status !== 200 && list.status !== 503) unexpected.push(`${list.status} ${list.text}`)
    }
  }

  const watch = async () => {
    while (performance.now() < end) {
      const before = performance.now()
      // `connection: close` makes it a new connection each time.
      const health = await request("GET", `${url}/health`, { headers: { connection: "close" } })
      waits.push(performance.now() - before)
      if (health.status !== 200) unexpected.push(`health: ${health.status}`)
      resident.push(residentOf(child))
      if (resident.length % 60 === 0) {
        console.log(`${resident.length} s: ${written.length} payments, ${resident.at(-1)!.toFixed(0)} MiB`)
      }
      if (resident.length % 300 === 0) token = await tokenAt(url, "sandbox", "sandbox-secret")
      await pause(1_000)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, index) => client(index))])
  return { written, unexpected, resident, waits, token: await tokenAt(url, "sandbox", "sandbox-secret") }
}

describe(`a sandbox under load for ${minutes} minutes`, () => {
  it.live(
    "keeps what it acknowledged, and its memory comes to rest",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { url: hooks } = yield* receiver
        const { child, url } = yield* started(join(folder, "sandbox.db"))
        const { resident, token, unexpected, waits, written } = yield* Effect.promise(() => soak(url, child, hooks))
        assert.deepStrictEqual(unexpected.slice(0, 10), [])
        assert.isAbove(written.length, minutes * 60)

        for (let at = 0; at < written.length; at += 100) {
          const asked = written.slice(at, at + 100)
          const query = `startAt=0&limit=100&myIds=${asked.join(",")}`
          const { json } = yield* Effect.promise(() => request("GET", `${url}/v2/transactions?${query}`, { token }))
          assert.lengthOf(json.Transactions, asked.length)
        }

        const fifth = Math.floor(resident.length / 5)
        const early = median(resident.slice(fifth, 2 * fifth))
        const late = median(resident.slice(-fifth))
        yield* Effect.log(`${written.length} payments; MiB ${early.toFixed(0)} then ${late.toFixed(0)}`)
        assert.isAtMost(late, early * 1.5 + 32)
        assert.isAtMost(median(waits), 1_000)
        assert.isAtMost(Math.max(...waits), 10_000)
      }),
    (minutes + 10) * 60_000
  )
})
