import { assert, describe, it } from "@effect/vitest"
import { CardNumber } from "@parcela/core/cards/CardNumber"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { denialOf, testCards, Scenario, scenarioOf } from "../src/TestCards.ts"

describe("testCards", () => {
  it("holds numbers that the service takes, each once", () => {
    for (const { number } of testCards) assert.isTrue(Schema.is(CardNumber)(number), number)
    assert.strictEqual(new Set(testCards.map(({ number }) => number)).size, testCards.length)
  })

  it("has a number for every scenario", () => {
    assert.deepStrictEqual(new Set(testCards.map(({ scenario }) => scenario)), new Set(Scenario.literals))
  })

  it("says in words what the scenario does", () => {
    for (const { behaviour, scenario } of testCards) {
      assert.include(behaviour, denialOf(scenario, true) ?? "captured")
      assert.include(behaviour, denialOf(scenario, false) ?? "captured")
    }
  })

  it("stands in the README as it is here", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const rows = [...readme.matchAll(/^\| (\d{16}) \| (.+) \|$/gm)].map(([, number, behaviour]) => ({
      number,
      behaviour
    }))
    assert.deepStrictEqual(
      rows,
      testCards.map(({ behaviour, number }) => ({ number, behaviour }))
    )
  })
})

describe("scenarioOf", () => {
  it.prop("captures every number that is not in the table", [CardNumber], ([number]) => {
    assert.strictEqual(scenarioOf(number), "captured")
  })
})
