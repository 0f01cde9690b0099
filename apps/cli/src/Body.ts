/**
 * JSON from a file or, for `-`, from stdin: the way to give card data without a trace in the process list or the
 * shell's history.
 *
 * @since 0.1.0
 */
import { Effect, FileSystem, Option, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { UsageError } from "./UsageError.ts"

export const bodyFlag = Flag.String("body").pipe(
  Flag.withDescription("The whole request body as JSON, from a file or - for stdin; no other field flag then"),
  Flag.withMetavar("file|-"),
  Flag.optional
)

export const readJson = Effect.fn("Body.readJson")(function* (flag: string, file: string) {
  const text = yield* textOf(file).pipe(
    Effect.mapError(
      (error) =>
        new UsageError({
          problem: `${flag} ${file} cannot be read: ${error.message}`,
          remedy: "Give a file, or - for stdin"
        })
    )
  )
  const json = Option.liftThrowable((text: string): unknown => JSON.parse(text))(text)
  // What the text was is not told: it may be a card.
  if (Option.isNone(json)) {
    return yield* new UsageError({ problem: `${flag} ${file} holds no JSON`, remedy: "Give one JSON object" })
  }
  return json.value
})

const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { stdin } = yield* Stdio.Stdio
  return yield* file === "-" ? stdin.pipe(Stream.decodeText, Stream.mkString) : fs.readFileString(file)
})
