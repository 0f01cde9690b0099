import { assert, describe, it } from "@effect/vitest"
import { type Entry, printer } from "../src/Timeline.ts"

const denied: Entry = {
  at: 11_362,
  who: "client",
  what: "POST /v2/transactions/course-boleto/myId/add",
  mark: "200",
  status: "pendingBoleto",
  remark: "R$ 199,90  51 Not enough balance or limit"
}

describe("a line of the timeline", () => {
  it("has its remark at the end, or below the line in a terminal of 80 columns", () => {
    const whole = printer(false, Infinity).line(denied)
    assert.match(whole, /^ 11\.362 s {2}client {2}-> {3}POST .*add +200 {2}pendingBoleto {3}R\$ 199,90 {2}51 Not/u)
    const narrow = printer(false, 80).line({ ...denied, server: 2 })
    assert.match(narrow, /^ 11\.362 s {2}->2 {2}POST .*add {2}200 {2}pendingBoleto\n {16}R\$ 199,90 {2}51 Not/u)
    for (const line of narrow.split("\n")) assert.isAtMost(line.length, 80)
  })
})
