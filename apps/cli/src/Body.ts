/**
 * Request bodies: JSON from `--body` (a file, or `-` for stdin) or from flags, and the example on help pages. Card data in a
 * file does not appear in the process list or the shell's history.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { Effect, FileSystem, Option, Stdio, Stream, Context } from "effect"
import { Flag } from "effect/cli"
import { UsageError } from "./GlobalFlags.ts"
import { operationExamples } from "@parcela/transport/Contract"

/** The naming profile of the service, which files may use too. */
interface Named {
  readonly naming: NamingProfile | undefined
}

export const bodyFlag = Flag.String("body").pipe(
  Flag.withDescription("The whole request body as JSON, from a file or - for stdin; excludes the field flags"),
  Flag.withMetavar("file|-"),
  Flag.optional
)

/** Reads a file and renames its keys to the interface's names. */
export const readJson = Effect.fn("Body.readJson")(function* (flag: string, file: string, { naming }: Named) {
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
  // The error does not show the text, which may contain a card.
  if (Option.isNone(json)) {
    return yield* new UsageError({ problem: `${flag} ${file} holds no JSON`, remedy: "Give one JSON object" })
  }
  return naming === undefined ? json.value : naming.fromWire(json.value)
})

const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { stdin } = yield* Stdio.Stdio
  return yield* file === "-" ? stdin.pipe(Stream.decodeText, Stream.mkString) : fs.readFileString(file)
})

/** Returns the body of a request: the JSON of `--body`, or the flags with defaults from `missing`. */
export const bodyOf = Effect.fnUntraced(function* <E = never, R = never>(
  body: Option.Option<string>,
  fields: object,
  to: Named,
  missing: Effect.Effect<object, E, R> = Effect.succeed({})
) {
  if (Option.isNone(body)) return { ...(yield* missing), ...fields }
  const names = namesIn(fields)
  if (names.length === 0) return yield* readJson("--body", body.value, to)
  return yield* new UsageError({
    problem: `--body is the whole request, and ${names.join(", ")} came with it`,
    remedy: "Use either --body or the other flags"
  })
})

/** Returns the names of the given fields, without entities that have no fields. */
const namesIn = (fields: object): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0 ? [] : [name]
  )

/** Annotation of a command: the operation whose body `--body` accepts, by its name in the OpenAPI document. */
export const BodyOf: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "@parcela/cli/BodyExample/BodyOf",
  { defaultValue: () => undefined }
)

/** Returns the lines of the JSON; undefined for a command without a body. */
export const bodyExampleOf = (annotations: Context.Context<never>): ReadonlyArray<string> | undefined => {
  const operation = Context.get(annotations, BodyOf)
  const example = operation === undefined ? undefined : operationExamples.get(operation)?.request
  return example === undefined ? undefined : JSON.stringify(example, null, 2).split("\n")
}
