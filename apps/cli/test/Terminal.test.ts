import { assert, describe, it } from "@effect/vitest"
import { ApiFailure } from "@parcela/transport/client/ClientError"
import { Effect, Ref, Sink, Stdio } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { forPeople } from "../src/Failure.ts"
import { Json } from "../src/GlobalFlags.ts"
import { facts, type Paint, progress } from "../src/Terminal.ts"
import { table } from "../src/Table.ts"

const paint = (columns: number): Paint => Object.assign((_: string, text: string) => text, { columns })

describe("a table in a narrow terminal", () => {
  const headings = ["ID", "WHEN", "NAME", "REASON"]
  const rows = [["1", "2026-11-22T18:00:07Z", "a name of some length", "a reason of some length"]]

  it("omits optional columns, and reports that", () => {
    const options = { leftOut: ["WHEN", "NAME"] }
    const [head, row, note, ...more] = table(paint(60), headings, rows, options).split("\n")
    assert.deepStrictEqual(
      [head?.split(/ {2,}/u), row, more],
      [["ID", "NAME", "REASON"], "1   a name of some length  a reason of some length", []]
    )
    assert.strictEqual(note, "In a wider terminal and with --json also: WHEN")
    const lost = table(paint(20), headings, rows, options)
    assert.include(lost.replaceAll("\n", " "), "also: WHEN, NAME")
    for (const line of lost.split("\n").slice(2)) assert.isAtMost(line.length, 20, line)
    assert.notInclude(table(paint(80), headings, rows, options), "also")
  })

  it("wraps its last column, or prints the column below the row if it does not fit", () => {
    const long = [["1", "2026-11-22T18:00:07Z", "ana", "several words of a reason", "x"].slice(0, 4)]
    const wide = table(paint(70), headings, long, { wraps: true }).split("\n")
    assert.deepStrictEqual(wide.slice(1), ["1   2026-11-22T18:00:07Z  ana   several words of a reason"])
    const narrow = table(paint(56), headings, [[...long[0]!.slice(0, 3), "several words and averyveryverylongword"]], {
      wraps: true
    }).split("\n")
    const indent = " ".repeat(32)
    assert.deepStrictEqual(narrow.slice(1), [
      "1   2026-11-22T18:00:07Z  ana   several words and",
      `${indent}averyveryverylongword`
    ])
    const narrower = table(paint(40), headings, [...long, [...long[0]!.slice(0, 3), ""]], { wraps: true })
    assert.deepStrictEqual(narrower.split("\n"), [
      "ID  WHEN                  NAME",
      "    REASON",
      "1   2026-11-22T18:00:07Z  ana",
      "    several words of a reason",
      "1   2026-11-22T18:00:07Z  ana"
    ])
  })

  it("omits an empty last column without a message", () => {
    const empty = rows.map((row) => row.with(3, ""))
    assert.strictEqual(
      table(paint(60), headings, empty, { wraps: true }),
      "ID  WHEN                  NAME\n1   2026-11-22T18:00:07Z  a name of some length"
    )
  })

  it("prints a long column completely below its row if no other column can be omitted", () => {
    const more = [...rows, ["2", "2026-11-23T18:00:07Z", "ana", ""]]
    const options = { leftOut: ["WHEN"], below: "NAME", wraps: true }
    assert.include(table(paint(48), headings, more, options), "1   a name of some length\n    a reason")
    assert.deepStrictEqual(table(paint(40), headings, more, { ...options, leftOut: [] }).split("\n"), [
      "ID  WHEN",
      "    NAME",
      "    REASON",
      "1   2026-11-22T18:00:07Z",
      "    a name of some length",
      "    a reason of some length",
      "2   2026-11-23T18:00:07Z",
      "    ana"
    ])
    assert.notInclude(table(paint(40), headings, more, options), "2026")
  })

  it("shortens the given columns in order before it omits one", () => {
    const narrow = { cut: ["REASON", "NAME"], leftOut: ["WHEN"] }
    const [, row] = table(paint(60), headings, rows, narrow).split("\n")
    assert.strictEqual(row, "1   2026-11-22T18:00:07Z  a name of some length  a reason o…")
    const [, narrower] = table(paint(46), headings, rows, { cut: ["REASON", "NAME"] }).split("\n")
    assert.strictEqual(narrower, "1   2026-11-22T18:00:07Z  a name of s…  a rea…")
    assert.include(table(paint(46), headings, rows, narrow), "\nIn a wider terminal and with --json also: WHEN")
  })

  it("shows every other column completely, so that users can copy it", () => {
    const [, row] = table(paint(30), headings, rows, { cut: ["REASON"] }).split("\n")
    assert.strictEqual(row, "1   2026-11-22T18:00:07Z  a name of some length  a rea…")
    assert.include(table(paint(30), headings, rows, { wraps: true }), "a name of some length")
    assert.notInclude(table(paint(30), headings, rows), "…")
  })
})

describe("colours", () => {
  const painted: Paint = Object.assign((colour: string, text: string) => (text === "" ? "" : `<${colour} ${text}>`), {
    columns: 80
  })

  it("show the class of an HTTP status, and leave text without a status unchanged", () => {
    const rows = [
      ["1", "200"],
      ["2", "404"],
      ["3", "503"],
      ["4", "none"],
      ["5", ""]
    ]
    assert.deepStrictEqual(table(painted, ["ID", "STATUS"], rows).split("\n").slice(1), [
      "1   <green 200>",
      "2   <yellow 404>",
      "3   <red 503>",
      "4   <yellow none>",
      "5"
    ])
  })
})

describe("names and values", () => {
  it("wrap if they are words, and stay on one line if users copy them", () => {
    const shown = facts(paint(24), [
      ["scopes", ["cards.read", "cards.write"]],
      ["Pix code", "a code with blanks in it"]
    ])
    assert.deepStrictEqual(shown.split("\n"), [
      "scopes    cards.read",
      "          cards.write",
      "Pix code  a code with blanks in it"
    ])
  })
})

describe("a failure", () => {
  const message =
    "Transaction.status: a transaction that is captured cannot be retried: only denied, notSend and authorized can"
  const [field = "", problem = ""] = message.split(/: (.*)/u)
  const failure = new ApiFailure({ status: 400, serverMessage: message, details: { [field]: [problem] } })

  it("wraps between words, and repeats nothing", () => {
    const lines = forPeople(paint(60), failure).split("\n")
    for (const line of lines) assert.isAtMost(line.length, 60, line)
    assert.strictEqual(lines[0], "error: The service refused (400).")
    assert.strictEqual(lines.join(" ").replace(/ +/gu, " ").split("cannot be retried").length, 2)
  })
})

describe("progress", () => {
  const shown = (canAnimate: boolean, stderrIsTerminal: boolean, json: boolean) =>
    Effect.gen(function* () {
      const written = yield* Ref.make("")
      const sink = Sink.forEach((text: string | Uint8Array) => Ref.update(written, (all) => `${all}${String(text)}`))
      yield* Effect.flatMap(progress, (say) => say("at 2027")).pipe(
        Effect.provide(Stdio.layerTest({ stderr: () => sink, stderrIsTerminal: Effect.succeed(stderrIsTerminal) })),
        Effect.provideService(Json, json),
        Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
          canAnimate,
          canColor: false,
          canPrompt: false
        })
      )
      return yield* Ref.get(written)
    })

  it.effect("is written to a terminal only, and not with JSON", () =>
    Effect.gen(function* () {
      assert.include(yield* shown(true, true, false), "at 2027")
      assert.strictEqual(yield* shown(false, true, false), "")
      assert.strictEqual(yield* shown(true, false, false), "")
      assert.strictEqual(yield* shown(true, true, true), "")
    })
  )
})
