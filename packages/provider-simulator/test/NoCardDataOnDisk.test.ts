import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { assert, describe, it } from "@effect/vitest"
import type { CardData } from "@parcela/core/cards/Card"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Effect, Layer, Redacted } from "effect"
import { cardOf } from "@parcela/provider-tests/CardOperatorSuite"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as SimulatedCardOperator from "../src/SimulatedCardOperator.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"
import { testCards } from "../src/TestCards.ts"
import { repeatableChance } from "./fixtures/Layers.ts"

const company = CompanyId.make(1)

const cards: ReadonlyArray<CardData> = [
  // Cards of one group are stored in one way.
  ...new Set(["4000000000000341", ...new Map(testCards.map(({ group, number }) => [group, number])).values()]),
  "4716258050958645",
  "6062826786276634"
].map((number) => cardOf(number))

/** The ways in which a text of digits could lie in a file. */
const tracesOf = (digits: string): ReadonlyArray<Buffer> => {
  const integer = Buffer.alloc(8)
  integer.writeBigUInt64BE(BigInt(digits))
  return [
    Buffer.from(digits),
    Buffer.from(digits, "utf16le"),
    Buffer.from([...digits].toReversed().join("")),
    Buffer.from(Buffer.from(digits).toString("base64").replace(/=*$/, "")),
    Buffer.from(Buffer.from(digits).toString("hex")),
    // SQLite writes whole numbers big-endian, a number of 14 to 16 digits in 6 or 8 bytes. A CVV's 2 bytes may occur at random.
    ...(digits.length < 8 ? [] : [integer, integer.subarray(2)])
  ]
}

const filesIn = (folder: string): ReadonlyArray<{ name: string; bytes: Buffer }> =>
  readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))

const assertNoCardData = (files: ReadonlyArray<{ name: string; bytes: Buffer }>) => {
  for (const card of cards) {
    const number = Redacted.value(card.number)
    for (const { bytes, name } of files) {
      for (const trace of tracesOf(number)) assert.isFalse(bytes.includes(trace), `${number} in ${name}`)
      for (const trace of tracesOf(Redacted.value(card.cvv))) assert.isFalse(bytes.includes(trace), `CVV in ${name}`)
    }
  }
}

const aWhile = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

const use = Effect.gen(function* () {
  const operator = yield* CardOperator
  for (const [index, card] of cards.entries()) {
    const token = yield* operator.tokenize(company, card)
    const attemptId = AttemptId.make(`attempt ${index}`)
    const about = { attemptId, companyId: company, transactionId: SvcPayId.make(index + 1), at: BusinessTime.make(0) }
    // Some cards make the operator fail, late, or never respond.
    const charge = Effect.exit(operator.charge({ ...about, card: token, value: Cents.make(4_990) }))
    yield* Effect.raceFirst(charge, aWhile)
    yield* operator.lookup(about)
  }
})

describe("the database on disk", () => {
  it.effect("contains no card number and no CVV, neither in the file nor in the write-ahead log", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const layer = SimulatedCardOperator.layerNoDeps.pipe(
        Layer.provide(repeatableChance),
        Layer.provideMerge(SimulatorStore.layer),
        Layer.provide(NodeSqliteClient.layer({ filename: join(folder, "test.db") }))
      )
      yield* Effect.gen(function* () {
        yield* use
        const beforeCheckpoint = filesIn(folder)
        const log = beforeCheckpoint.find(({ name }) => name === "test.db-wal")
        assert.isTrue(log?.bytes.includes("no funds at first"), "the log was read while it held the cards")
        assertNoCardData(beforeCheckpoint)
        const sql = yield* SimulatorStore
        yield* sql`PRAGMA wal_checkpoint(PASSIVE)`
        assertNoCardData(filesIn(folder))
      }).pipe(Effect.provide(layer, { local: true }))
      const closed = filesIn(folder)
      assert.isTrue(closed[0]?.bytes.includes("no funds at first"), "the file was read when it held the cards")
      assertNoCardData(closed)
    })
  )
})
