/**
 * The account at a provider of API Pix, out of a file: it has secrets, which variables show to every program of a user.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { CallbackSecret, PixAccount } from "@parcela/pix-api/PixAccount"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFile } from "node:fs/promises"

/**
 * The file cannot be read, or holds no account. No value of it is shown.
 *
 * @category errors
 * @since 0.1.0
 */
export class PixAccountUnusable extends Schema.TaggedError<PixAccountUnusable>()("PixAccountUnusable", {
  file: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.file} ${this.problems.join("; ")}`
  }
}

const secret = <S extends Schema.Top>(label: string, value: S) => Schema.RedactedFromValue(value, { label })

const Json = Schema.Struct({
  ...PixAccount.fields,
  clientSecret: secret("client secret", Schema.NonEmptyString),
  callbackSecret: Schema.optionalKey(secret("callback secret", CallbackSecret))
})

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownEffect(Json, { errors: "all", onExcessProperty: "error" })
const check = Schema.decodeEffect(Schema.toType(PixAccount))

/**
 * The account that the file has as JSON, with the keys of `PixAccount`.
 *
 * @category reading
 * @since 0.1.0
 */
export const read = Effect.fnUntraced(function* (file: string): Effect.fn.Return<PixAccount, PixAccountUnusable> {
  const unusable = (...problems: ReadonlyArray<string>) => new PixAccountUnusable({ file, problems })
  const faults = ({ issue }: Schema.SchemaError) =>
    unusable(...Object.entries(detailsOf(issue, "PixAccount")).map(([key, said]) => `${key} ${said.join(", ")}`))
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => unusable("cannot be read")
  })
  const json = yield* Effect.mapError(parse(text), () => unusable("is not JSON"))
  return yield* Effect.mapError(Effect.flatMap(decode(json), check), faults)
})
