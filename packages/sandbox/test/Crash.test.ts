import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import { assertBalanced, type Books } from "./fixtures/Books.ts"
import { chanceOf } from "./fixtures/Chance.ts"
import { type Answer, byCard, cards, payment, receiver, request, temporaryFolder, tokenAt } from "./fixtures/Service.ts"

const killable = fileURLToPath(new URL("./fixtures/Killable.ts", import.meta.url))

/** Starts the program and answers where it listens. */
const startChild = (folder: string, seed?: number) =>
  new Promise<{ child: ChildProcess; url: string; ended: Promise<void> }>((resolve, reject) => {
    const args = [killable, join(folder, "sandbox.db"), ...(seed === undefined ? [] : [String(seed)])]
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") }
    })
    const ended = new Promise<void>((end) => child.once("exit", () => end()))
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const url = /http:\/\/\S+/.exec(said)?.[0]
      if (url !== undefined) resolve({ child, url, ended })
    })
    void ended.then(() => reject(new Error(`The child ended before it listened: ${said}`)))
  })

interface Command {
  readonly kind: "subscription" | "payment" | "retry"
  readonly myId: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const numbers = Object.values(cards)

/** What one client does, one after the other: a subscription, and three payments each with a retry. */
const commandsOf = function* (client: string, card: string): Generator<Command> {
  const sub = `sub ${client}`
  yield { kind: "subscription", myId: sub, method: "POST", path: "/v2/subscriptions/manual", body: byCard(card, sub) }
  for (const myId of [1, 2, 3].map((index) => `pay ${client} ${index}`)) {
    const [owner, own] = [encodeURIComponent(sub), encodeURIComponent(myId)]
    // The child's clock is the real one, so the payment is due.
    const body = payment(myId, "2026-01-01")
    yield { kind: "payment", myId, method: "POST", path: `/v2/transactions/${owner}/myId/add`, body }
    yield { kind: "retry", myId, method: "PUT", path: `/v2/transactions/${own}/myId/retry` }
  }
}

const keyOf = ({ kind, myId }: Command) => `${kind} ${myId}`

const send = (url: string, token: string, command: Command): Promise<Answer> =>
  request(command.method, url + command.path, {
    token,
    headers: { "idempotency-key": keyOf(command) },
    ...(command.body === undefined ? {} : { body: command.body })
  })

interface Round {
  readonly acknowledged: Array<{ readonly command: Command; readonly answer: Answer }>
  readonly unanswered: Array<Command>
}

/** Eight clients at once until `kills` answers have come; then SIGKILL, with up to eight requests under way. */
const round = async (folder: string, number: number, hooks: string, kills: number): Promise<Round> => {
  const { child, ended, url } = await startChild(folder, number)
  const token = await tokenAt(url, "sandbox", "sandbox-secret")
  const events = ["transaction.updateStatus", "subscription.addTransaction"]
  await request("PUT", `${url}/v2/webhooks`, { token, body: { url: hooks, events } })
  const done: Round = { acknowledged: [], unanswered: [] }
  let dead = false
  const client = async (name: string, card: string) => {
    for (const command of commandsOf(name, card)) {
      if (dead) return
      try {
        done.acknowledged.push({ command, answer: await send(url, token, command) })
      } catch {
        done.unanswered.push(command)
        return
      }
      if (done.acknowledged.length === kills) {
        dead = true
        child.kill("SIGKILL")
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => client(`${number}.${index}`, numbers[index % 3]!)))
  child.kill("SIGKILL")
  await ended
  return done
}

/** Sends a command again under its key until nobody is at it any more. */
const repeat = async (url: string, token: string, command: Command): Promise<Answer> => {
  for (;;) {
    const answer = await send(url, token, command)
    if (answer.status !== 409) return answer
    // The claim of the killed run ends by the real clock.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const read = (folder: string) => {
  const database = new DatabaseSync(join(folder, "sandbox.db"), { readOnly: true })
  const all = (sql: string) => database.prepare(sql).all() as ReadonlyArray<Record<string, any>>
  const parsed = (rows: ReadonlyArray<Record<string, any>>, column: string) =>
    rows.map((row) => ({ ...row, [column]: JSON.parse(row[column]) }))
  const rows = {
    subscriptions: all("SELECT my_id FROM subscriptions"),
    transactions: parsed(all("SELECT id, my_id, data FROM transactions"), "data") as unknown as Books["transactions"],
    attempts: all("SELECT id, settled_at FROM attempts") as unknown as Books["attempts"],
    charges: parsed(
      all("SELECT attempt_id, reference, outcome FROM operator_charges"),
      "outcome"
    ) as unknown as Books["charges"],
    deliveries: parsed(
      all("SELECT webhook_id, event, transaction_id, payload FROM deliveries"),
      "payload"
    ) as unknown as Books["deliveries"],
    changes: all(`SELECT event FROM journal WHERE event LIKE '%"TransactionStatusChanged"%'`)
  }
  database.close()
  return rows
}

const rounds = inject("prove") ? 100 : 5

describe(`a sandbox that is killed at any moment, ${rounds} times over`, () => {
  it.effect(
    "keeps all that it acknowledged, charges every attempt once, and delivers every event",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { received, url: hooks } = yield* receiver
        const chance = chanceOf(20_260_921)
        const done: Array<Round> = []
        for (let number = 1; number <= rounds; number++) {
          done.push(yield* Effect.promise(() => round(folder, number, hooks, 5 + chance(40))))
        }
        const acknowledged = done.flatMap((one) => one.acknowledged)
        const unanswered = done.flatMap((one) => one.unanswered)
        assert.isAbove(acknowledged.length, 25)
        assert.isAbove(unanswered.length, 5)

        // A last start, with operators that behave: what the kills cut off is resolved before it listens.
        const { child, ended, url } = yield* Effect.promise(() => startChild(folder))
        yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
        assert.deepStrictEqual(
          read(folder).attempts.filter(({ settled_at }) => settled_at === null),
          []
        )
        const token = yield* Effect.promise(() => tokenAt(url, "sandbox", "sandbox-secret"))
        const again = yield* Effect.promise(() => Promise.all(unanswered.map((command) => repeat(url, token, command))))
        for (const [index, command] of unanswered.entries()) {
          // Of the three cards one is captured at once, and what is captured cannot be retried.
          const isRefused =
            command.kind === "retry" && again[index]?.text.includes("that is captured cannot be retried")
          assert.strictEqual(again[index]?.status, isRefused ? 400 : 200, `${keyOf(command)}: ${again[index]?.text}`)
        }
        for (const { answer, command } of acknowledged.filter(({ answer }) => answer.status === 200)) {
          const same = yield* Effect.promise(() => repeat(url, token, command))
          assert.strictEqual(same.text, answer.text, keyOf(command))
        }

        // Every delivery comes, those too that a killed worker had taken; a number always with the same body.
        const bodies = new Map<number, string>()
        while (bodies.size < read(folder).deliveries.length) {
          const { body } = yield* Queue.take(received)
          const { webhookId } = JSON.parse(body) as { webhookId: number }
          assert.strictEqual(bodies.get(webhookId) ?? body, body)
          bodies.set(webhookId, body)
        }
        child.kill("SIGTERM")
        yield* Effect.promise(() => ended)

        const { attempts, changes, charges, deliveries, subscriptions, transactions } = read(folder)
        const made = [...acknowledged, ...unanswered.map((command, index) => ({ command, answer: again[index]! }))]
        const madeOf = (kind: Command["kind"]) =>
          made.filter(({ answer, command }) => command.kind === kind && answer.status === 200)
        const namesOf = (kind: Command["kind"]) => madeOf(kind).map(({ command }) => command.myId)
        assert.includeMembers(
          subscriptions.map(({ my_id }) => my_id),
          namesOf("subscription")
        )
        assert.includeMembers(
          transactions.map(({ my_id }) => my_id),
          namesOf("payment")
        )

        const statusOf = new Map(transactions.map(({ data, my_id }) => [my_id, data.status]))
        for (const { answer, command } of [...madeOf("payment"), ...madeOf("retry")]) {
          const { status } = answer.json.Transaction
          // What was captured stays so; a denial or an open attempt may have been followed by a capture.
          const possible = status === "captured" ? ["captured"] : ["captured", "denied"]
          assert.include(possible, statusOf.get(command.myId), command.myId)
        }

        assertBalanced({ attempts, changes: changes.length, charges, deliveries, transactions })
      }),
    // Six programs start one after the other; each takes a second or two on a busy machine.
    inject("prove") ? 3_600_000 : 60_000
  )
})
