/**
 * The receiver's settings, read once from the environment.
 *
 * @since 0.1.0
 */
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** What the receiver needs to know. */
export interface Settings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly database: string
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret.WebhookSecret>
  readonly confirmHashes: Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>
  readonly output: "text" | "json"
  /** True unless `NO_COLOR` asks for none (https://no-color.org). */
  readonly mayColour: boolean
}

/** Settings are missing or wrong; the message names every one, and shows no value. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.problems.join("; ")
  }
}

/** All settings, or everything that is wrong with them. */
export const read: Effect.Effect<Settings, SettingsError> = Effect.gen(function* () {
  const host = yield* setting("PARCELA_RECEIVER_HOST", { default: "127.0.0.1" }, Result.succeed)
  const port = yield* setting("PARCELA_RECEIVER_PORT", { default: "8027" }, portOf)
  const database = yield* setting("PARCELA_RECEIVER_DATABASE", { default: ".parcela/receiver.db" }, Result.succeed)
  const secrets = yield* setting(
    "PARCELA_WEBHOOK_SECRET",
    { need: "give the secret that the sender signs with (whsec_..)" },
    secretsOf
  )
  const confirmHashes = yield* setting(
    "PARCELA_CONFIRM_HASH",
    { need: "give the confirmHash that editing the webhooks answered" },
    confirmHashesOf
  )
  const output = yield* setting("PARCELA_RECEIVER_OUTPUT", { default: "text" }, outputOf)
  const noColour = yield* setting("NO_COLOR", { default: "" }, Result.succeed)

  const all = Result.all({ host, port, database, secrets, confirmHashes, output, noColour })
  if (Result.isSuccess(all)) return { ...all.success, mayColour: all.success.noColour === "" }
  const problems = Arr.getFailures([host, port, database, secrets, confirmHashes, output])
  return yield* new SettingsError({ problems: Arr.isReadonlyArrayNonEmpty(problems) ? problems : [all.failure] })
})

// An empty variable counts as one that is not set, as in files of variables that people fill in.
const setting = Effect.fnUntraced(function* <A>(
  name: string,
  absent: { readonly default: string } | { readonly need: string },
  parse: (text: string) => Result.Result<A, string>
) {
  const given = yield* Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none<string>())
  const text = Option.getOrElse(given, () => "").trim()
  if (text === "" && "need" in absent) return Result.fail(`${name} is not set: ${absent.need}`)
  return Result.mapError(
    parse(text === "" && "default" in absent ? absent.default : text),
    (problem) => `${name}: ${problem}`
  )
})

const portOf = (text: string): Result.Result<number, string> =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Result.succeed(Number(text))
    : Result.fail("a port is a whole number from 0 to 65535")

const outputOf = (text: string): Result.Result<"text" | "json", string> =>
  text === "text" || text === "json" ? Result.succeed(text) : Result.fail("it is text or json")

const wordsOf = (text: string): Arr.NonEmptyReadonlyArray<string> => text.split(/\s+/) as [string, ...Array<string>]

const secretsOf = (text: string) =>
  Result.mapError(Result.all(Arr.map(wordsOf(text), WebhookSecret.parse)), (error) => error.message) as Result.Result<
    Settings["secrets"],
    string
  >

const confirmHashesOf = (text: string): Result.Result<Settings["confirmHashes"], string> =>
  Result.succeed(Arr.map(wordsOf(text), (word) => Redacted.make(word, { label: "confirmHash" })))
