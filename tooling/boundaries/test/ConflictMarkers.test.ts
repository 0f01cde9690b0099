import { assert, describe, it } from "@effect/vitest"
import { conflictMarkersIn } from "../src/ConflictMarkers.ts"

// Put together, so that this file is not found by the check itself.
const [ours, base, theirs] = ["<", "|", ">"].map((sign) => sign.repeat(7))

describe("conflict markers", () => {
  it("are found where git writes them, also in a comment and in a file with CRLF", () => {
    const text = `/**\n${ours} HEAD\n * a\n${base} base\n=======\n * b\n${theirs} 3083373 (wip)\n */\n`
    assert.deepStrictEqual(conflictMarkersIn(text), [2, 4, 7])
    assert.deepStrictEqual(conflictMarkersIn(text.replaceAll("\n", "\r\n")), [2, 4, 7])
    assert.deepStrictEqual(conflictMarkersIn(ours!), [1])
  })

  it("are not what only looks like them", () => {
    assert.deepStrictEqual(conflictMarkersIn(`A heading\n=======\n  ${ours} HEAD\n${ours}< x\na ${theirs} b\n`), [])
  })
})
