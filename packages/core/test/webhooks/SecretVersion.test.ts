import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { endOverlap, first, maxValid, rotate, type SecretVersions, validAt } from "@parcela/core/webhooks/SecretVersion"
import { Result, Schema } from "effect"

const hour = 3_600_000
const at = (hours: number) => MachineTime.make(1_790_000_000_000 + hours * hour)
const rotated = (versions: SecretVersions, hours: number, overlap: number) =>
  Result.getOrThrow(rotate(versions, { now: at(hours), overlap: overlap * hour, salt: `salt ${hours}` }))
const numbers = (versions: SecretVersions) => versions.map(({ version }) => version)

const Step = Schema.Struct({
  hours: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 48 })),
  overlap: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 72 }))
})
const Steps = Schema.Array(Step).check(Schema.isMaxLength(20))

describe("secret versions", () => {
  it("sign newest first until the overlap ends, then only the newest signs", () => {
    const versions = rotated(first("a", at(0)), 1, 24)
    assert.deepStrictEqual(versions, [
      { version: 2, salt: "salt 1", createdAt: at(1) },
      { version: 1, salt: "a", createdAt: at(0), notAfter: at(25) }
    ])
    assert.deepStrictEqual(numbers(validAt(versions, MachineTime.make(at(25) - 1))), [2, 1])
    assert.deepStrictEqual(numbers(validAt(versions, at(25))), [2])
  })

  it("end at once if the overlap is zero", () => {
    const versions = rotated(rotated(first("a", at(0)), 1, 24), 2, 0)
    assert.deepStrictEqual(numbers(validAt(versions, at(2))), [3])
  })

  it("are never extended by a rotation, and are shortened if they would last longer", () => {
    const short = rotated(rotated(first("a", at(0)), 1, 2), 2, 24)
    assert.deepStrictEqual(
      short.map(({ notAfter }) => notAfter),
      [undefined, at(26), at(3)]
    )
    const shortened = rotated(rotated(first("a", at(0)), 1, 24), 2, 1)
    assert.deepStrictEqual(
      shortened.map(({ notAfter }) => notAfter),
      [undefined, at(3), at(3)]
    )
  })

  it("are limited in number, and the refusal contains the next end of validity", () => {
    let versions = first("a", at(0))
    for (let hours = 1; hours < maxValid; hours++) versions = rotated(versions, hours, 24)
    const refusal = Result.getOrThrow(Result.flip(rotate(versions, { now: at(5), overlap: 24 * hour, salt: "more" })))
    assert.strictEqual(refusal.until, at(25))
    assert.include(refusal.message, new Date(at(25)).toISOString())
    assert.deepStrictEqual(numbers(validAt(rotated(versions, 5, 0), at(5))), [5])
    assert.deepStrictEqual(numbers(validAt(rotated(endOverlap(versions, at(5)), 5, 24), at(5))), [5, 4])
  })

  it("other than the newest end when the overlap is ended, and keep an earlier end", () => {
    const versions = endOverlap(rotated(rotated(first("a", at(0)), 1, 1), 3, 24), at(4))
    assert.deepStrictEqual(
      versions.map(({ notAfter }) => notAfter),
      [undefined, at(4), at(2)]
    )
  })

  it.prop("always include a valid newest one, with consecutive numbers and unique salts", [Steps], ([steps]) => {
    let versions = first("first", at(0))
    let now = 0
    for (const { hours, overlap } of steps) {
      now += hours
      const next = rotate(versions, { now: at(now), overlap: overlap * hour, salt: `${versions[0].version}` })
      if (Result.isFailure(next)) continue
      assert.strictEqual(next.success[0].version, versions[0].version + 1)
      versions = next.success
      const valid = validAt(versions, at(now))
      assert.isAtMost(valid.length, maxValid)
      assert.strictEqual(valid[0], versions[0])
      assert.strictEqual(new Set(versions.map(({ salt }) => salt)).size, versions.length)
    }
  })
})
