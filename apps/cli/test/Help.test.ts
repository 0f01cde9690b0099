import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Command } from "effect/cli"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { bodyExampleOf } from "../src/Body.ts"
import { parcela } from "../src/Cli.ts"
import { exitCodes } from "../src/Failure.ts"
import { respond } from "./Contracts.ts"
import * as Fake from "./Fake.ts"

interface Leaf {
  readonly words: string
  readonly command: Command.Command.Any
}

/** Every command that does something, by the words that name it. */
const leavesOf = (command: Command.Command.Any, path: ReadonlyArray<string> = []): ReadonlyArray<Leaf> => {
  const below = command.subcommands.flatMap(({ commands }) => commands)
  return below.length === 0
    ? [{ words: path.join(" "), command }]
    : below.flatMap((one) => leavesOf(one, [...path, one.name]))
}

const leaves = leavesOf(parcela)

/** The words of a line as a shell splits them, without pipes and redirections. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.replace(/ [|<>].*$/u, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? ""
  )

const card = { number: "4111111111111111", holder: "MARIA SOUZA", expiresAt: "2030-12", cvv: "123" }

/** Runs a line of documentation: its files hold `body`, and a sandbox responds with the contract's examples. */
const runs = Effect.fnUntraced(function* (line: string, body: unknown) {
  const json = JSON.stringify(body)
  const file = yield* Fake.file(json)
  const words = wordsOf(line)
    .slice(1)
    .map((word) => (word.endsWith(".json") ? file : word))
  // A followed list continues until Ctrl+C.
  const isFollowed = words.includes("--follow")
  const world = isFollowed ? { interruptAt: "after=" } : {}
  const fiber = yield* Effect.forkChild(Fake.parcela(words, { stdin: json, play: respond, ...world }))
  // Some commands look again after a while.
  yield* TestClock.adjust("1 second")
  const ran = yield* Fiber.join(fiber)
  return isFollowed && ran.code === exitCodes.interrupted
    ? { ...ran, code: exitCodes.done, err: ran.err.replace(/^Following .+; Ctrl\+C ends it\.$/u, "") }
    : ran
})

const bodyOf = (line: string, command: Command.Command.Any | undefined): unknown => {
  const example = command === undefined ? undefined : bodyExampleOf(command.annotations)
  // Fixtures that declare nothing.
  if (line.includes("fixtures.json")) return {}
  return line.includes("card.json") || example === undefined ? card : JSON.parse(example.join("\n"))
}

describe("a help page", () => {
  it.effect.each(leaves)("of parcela $words has a description, an example and its own flags first", ({ words }) =>
    Effect.gen(function* () {
      const { code, out } = yield* Fake.parcela([...words.split(" "), "--help"], { columns: 80 })
      assert.strictEqual(code, 0)
      const sections = out.split("\n").filter((line) => /^[A-Z]/u.test(line))
      assert.deepStrictEqual(
        sections.filter((title) => !["ARGUMENTS", "FLAGS", "EXAMPLE OF A FILE"].includes(title)),
        ["DESCRIPTION", "USAGE", "EXAMPLES", "GLOBAL FLAGS", "EXIT CODES"]
      )
      for (const part of ["--json", "--naming", "refused by the service"]) assert.include(out, part)
      const prose = out.split("\n").filter((line) => !/^ {2}(parcela|curl) /u.test(line))
      for (const line of prose) assert.isAtMost(line.length, 80, line)
    })
  )

  it.effect("of a group without examples names a page with examples", () =>
    Effect.gen(function* () {
      const { out } = yield* Fake.parcela(["transactions", "--help"], { columns: 80 })
      assert.match(out, /^EXAMPLES\n {2}# Flags and examples of a subcommand\n {2}parcela transactions add --help$/mu)
      const { out: own } = yield* Fake.parcela(["sandbox", "--help"], { columns: 80 })
      assert.notInclude(own, "Flags and examples of a subcommand")
    })
  )

  it.effect.each(leaves.flatMap(({ command }) => command.examples.map(({ command: line }) => ({ command, line }))))(
    "has an example that works: $line",
    ({ command, line }) =>
      Effect.gen(function* () {
        if (!line.startsWith("parcela ")) return
        const { code, err } = yield* runs(line, bodyOf(line, command))
        assert.deepStrictEqual([code, err], [0, ""])
      })
  )

  it.effect.each(leaves.filter(({ command }) => bodyExampleOf(command.annotations) !== undefined))(
    "shows a file that parcela $words accepts",
    ({ command, words }) =>
      Effect.gen(function* () {
        const page = yield* Fake.parcela([...words.split(" "), "--help"])
        const shown = page.out.split("EXAMPLE OF A FILE\n")[1]?.split("\n\n")[0] ?? "none"
        assert.deepStrictEqual(JSON.parse(shown), bodyOf("", command))
        const flag = page.out.includes("--body") ? "--body" : "--card-file"
        const named = page.out.includes("ARGUMENTS") && !words.startsWith("webhooks") ? ["one"] : []
        const { requests, code, err } = yield* Fake.parcela([...words.split(" "), ...named, flag, "-"], {
          stdin: shown,
          play: respond
        })
        assert.deepStrictEqual([code, err], [0, ""])
        assert.deepStrictEqual(requests.at(-1)?.body, JSON.parse(shown))
      })
  )
})

const documents = [
  "../README.md",
  "../../../docs/guides/control-a-sandbox.md",
  "../../../docs/guides/receive-money.md",
  "../../../docs/guides/receive-events.md"
]

/** The lines of the shell fences that are for `parcela`, without comments. */
const linesOf = (document: string): ReadonlyArray<string> => {
  const text = readFileSync(fileURLToPath(new URL(document, import.meta.url)), "utf8")
  return [...text.matchAll(/```sh\n([\s\S]*?)```/gu)]
    .flatMap(([, fence = ""]) => fence.replaceAll(/\\\n\s*/gu, "").split("\n"))
    .map((line) => line.replace(/ +#.*$/u, ""))
    .filter((line) => line.startsWith("parcela "))
}

describe("a document", () => {
  it.effect.each(documents.flatMap((document) => linesOf(document).map((line) => ({ document, line }))))(
    "shows a command that works: $line",
    ({ line }) =>
      Effect.gen(function* () {
        const words = wordsOf(line).slice(1)
        const leaf = leaves.find((one) => words.join(" ").startsWith(one.words))
        const { code, err } = yield* runs(line, bodyOf(line, leaf?.command))
        assert.deepStrictEqual([code, err], [0, ""])
      })
  )

  it("has commands", () => {
    for (const document of documents) assert.isNotEmpty(linesOf(document), document)
  })
})
