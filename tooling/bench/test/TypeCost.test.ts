import { assert, describe, it } from "vitest"
import { costsOf } from "../src/types/TypeCost.ts"

describe("a program that uses @parcela/client", () => {
  it(
    "gives the compiler no more to read and to instantiate than one that uses stripe's client",
    { timeout: 60_000 },
    () => {
      const [round] = costsOf(["parcela", "stripe"])
      assert.isDefined(round)
      const { parcela, stripe } = round
      assert.isAbove(parcela.lines, 0)
      assert.isAtMost(parcela.files, stripe.files)
      assert.isAtMost(parcela.lines, stripe.lines)
      assert.isAtMost(parcela.instantiations, stripe.instantiations)
    }
  )
})
