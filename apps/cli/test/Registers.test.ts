import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const customer = { svcPayId: 5, myId: "maria", name: "Maria Souza", document: "52998224725", status: "delayed" }
const play = (body: unknown) => () => [200, body] as const

describe("customers, cards and plans", () => {
  it.effect("are listed as a table, by the flags of their filters", () =>
    Effect.gen(function* () {
      const body = { totalQtdFoundInPage: 1, Customers: [customer] }
      const words = ["customers", "list", "--status", "delayed", "--email", "a@example.com"]
      const { requests, code, out } = yield* Fake.parcela(words, { play: play(body) })
      assert.strictEqual(code, 0)
      for (const part of ["5", "maria", "delayed", "Maria Souza"]) assert.include(out, part)
      assert.include(requests.at(-1)?.url, "/customers?startAt=0&limit=20&emails=a%40example.com&status=delayed")
      const none = yield* Fake.parcela(["cards", "list"], { play: play({ Cards: [] }) })
      assert.strictEqual(none.out, "No cards.")
    })
  )

  it.effect("are created from flags or from a file, and not from both", () =>
    Effect.gen(function* () {
      const edited = yield* Fake.parcela(["customers", "edit", "5", "--by", "svcPayId", "--name", "Maria Lima"], {
        play: play({ type: true, Customer: { ...customer, name: "Maria Lima" } })
      })
      assert.include(edited.out, "Maria Lima")
      assert.include(edited.requests.at(-1)?.url, "/customers/5/svcPayId")
      const stdin = JSON.stringify({ PlanPrices: [{ payment: "pix", value: 1 }] })
      const plan = yield* Fake.parcela(["plans", "edit", "box", "--body", "-"], {
        stdin,
        play: play({ type: true, Plan: { svcPayId: 4, myId: "box", status: "active", quantity: 0 } })
      })
      assert.include(plan.out, "without end")
      const mixed = yield* Fake.parcela(["customers", "create", "--name", "M", "--body", "-"], { stdin })
      assert.strictEqual(mixed.code, 2)
      const removed = yield* Fake.parcela(["cards", "remove", "card-1"], { play: play({ type: true }) })
      assert.strictEqual(removed.out, "The card is inactive.")
    })
  )

  it.effect("show the number of received items during a complete list, in a terminal", () =>
    Effect.gen(function* () {
      const pageOf = ({ url }: Fake.SentRequest) => {
        const count = url.includes("startAt=0") ? 100 : 30
        return [200, { Customers: Array.from({ length: count }, () => customer) }] as const
      }
      const listed = yield* Fake.parcela(["customers", "list", "--all"], { play: pageOf, animated: true })
      assert.deepStrictEqual(listed.progress.match(/\d+ so far/gu), ["100 so far", "130 so far"])
      assert.lengthOf(listed.out.split("\n"), 131)
      const json = yield* Fake.parcela(["customers", "list", "--all", "--json"], { play: pageOf, animated: true })
      assert.strictEqual(json.progress, "")
    })
  )
})
