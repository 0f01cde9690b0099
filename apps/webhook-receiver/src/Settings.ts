/**
 * The receiver's settings, read once from the environment.
 *
 * @since 0.1.0
 */
import { type NamingProfile, profile, ServiceName } from "@parcela/core/json/NamingProfile"
import { defaultMaximumBytes } from "@parcela/webhooks/Receiver"
import type { SenderConfig } from "@parcela/webhooks/Sender"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The variables that the receiver reads. */
export const settingNames = [
  "PARCELA_WEBHOOK_SECRET",
  "PARCELA_WEBHOOK_SECRET_FILE",
  "PARCELA_CONFIRM_HASH",
  "PARCELA_CONFIRM_HASH_FILE",
  "PARCELA_NAMING",
  "PARCELA_RECEIVER_HOST",
  "PARCELA_RECEIVER_PORT",
  "PARCELA_RECEIVER_DATABASE",
  "PARCELA_RECEIVER_OUTPUT",
  "PARCELA_RECEIVER_MAXIMUM_BYTES",
  "NO_COLOR"
] as const

export type Variable = (typeof settingNames)[number]

/** The settings of a receiver. */
export interface Settings {
  readonly host: string
  /** 0 is any free port. */
  readonly port: number
  readonly database: string
  readonly senders: Arr.NonEmptyReadonlyArray<SenderConfig>
  /** Maximum size of a body. */
  readonly maximumBytes: number
  /** The naming profile of the senders. */
  readonly naming: NamingProfile
  readonly output: "text" | "json"
  /** False if `NO_COLOR` is set (https://no-color.org). */
  readonly mayColour: boolean
}

/** Settings are missing or invalid. The message has a line for each, without its value. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}

/** Reads all settings. Fails with all problems. */
export const read: Effect.Effect<Settings, SettingsError, FileSystem.FileSystem> = Effect.gen(function* () {
  const host = yield* setting("PARCELA_RECEIVER_HOST", { default: "127.0.0.1" }, Result.succeed)
  const port = yield* setting("PARCELA_RECEIVER_PORT", { default: "8027" }, portOf)
  const database = yield* setting("PARCELA_RECEIVER_DATABASE", { default: ".parcela/receiver.db" }, Result.succeed)
  const secrets = yield* setting(
    "PARCELA_WEBHOOK_SECRET",
    {
      meaning: "the secret that signs the deliveries, as in PARCELA_WEBHOOK_SECRET=whsec_FRF2..",
      file: "PARCELA_WEBHOOK_SECRET_FILE"
    },
    secretsOf
  )
  const confirmHashes = yield* setting(
    "PARCELA_CONFIRM_HASH",
    {
      meaning: "the value that PUT /webhooks returned, as in PARCELA_CONFIRM_HASH=a4a9..",
      file: "PARCELA_CONFIRM_HASH_FILE"
    },
    confirmHashesOf
  )
  const output = yield* setting("PARCELA_RECEIVER_OUTPUT", { default: "text" }, outputOf)
  const noColour = yield* setting("NO_COLOR", { default: "" }, Result.succeed)

  const maximumBytes = yield* setting(
    "PARCELA_RECEIVER_MAXIMUM_BYTES",
    { default: String(defaultMaximumBytes) },
    bytesOf
  )
  const naming = yield* setting("PARCELA_NAMING", { default: "svcPay" }, namingOf)
  const senders = Result.flatMap(Result.all({ secrets, confirmHashes }), sendersOf)

  const all = Result.all({ host, port, database, senders, output, maximumBytes, naming, noColour })
  if (Result.isSuccess(all)) return { ...all.success, mayColour: all.success.noColour === "" }
  const parts = [host, port, database, secrets, confirmHashes, output, maximumBytes, naming]
  const problems = Arr.getFailures(parts)
  return yield* new SettingsError({ problems: Arr.isReadonlyArrayNonEmpty(problems) ? problems : [all.failure] })
})

const variable = (name: Variable): Effect.Effect<string> =>
  Effect.map(
    Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none<string>()),
    (given) => Option.getOrElse(given, () => "").trim()
  )

const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.option(Effect.map(fs.readFileString(file), (text) => text.trim()))
})

// `<name>_FILE` names a file with a secret, as deployments mount secrets. An empty variable counts as unset: it comes from a
// template of variables that is not filled in.
const setting = Effect.fnUntraced(function* <A>(
  name: Variable,
  absent: { readonly default: string } | { readonly meaning: string; readonly file: Variable },
  parse: (text: string) => Result.Result<A, string>
) {
  const given = yield* variable(name)
  const file = "meaning" in absent ? yield* variable(absent.file) : ""
  if (given !== "" && file !== "") return Result.fail(`${name} and ${name}_FILE are both set: set one of them`)
  const read = file === "" ? Option.some(given) : yield* textOf(file)
  if (Option.isNone(read)) return Result.fail(`${name}_FILE: this file cannot be read`)
  const text = read.value
  if (text === "" && "meaning" in absent) return Result.fail(`${name} is not set: ${absent.meaning}`)
  return Result.mapError(
    parse(text === "" && "default" in absent ? absent.default : text),
    (problem) => `${name}: ${problem}`
  )
})

const portOf = (text: string): Result.Result<number, string> =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Result.succeed(Number(text))
    : Result.fail("a port must be a whole number from 0 to 65535, such as 8027")

const outputOf = (text: string): Result.Result<"text" | "json", string> =>
  text === "text" || text === "json" ? Result.succeed(text) : Result.fail("it must be text or json")

const bytesOf = (text: string): Result.Result<number, string> =>
  /^[1-9]\d{0,8}$/u.test(text) && Number(text) >= minMaximumBytes
    ? Result.succeed(Number(text))
    : Result.fail(
        `it must be a whole number of bytes from ${minMaximumBytes} to 999999999, such as ${defaultMaximumBytes}`
      )

// A smaller maximum would refuse deliveries with long texts.
const minMaximumBytes = 65_536

const namingOf = (text: string): Result.Result<NamingProfile, string> =>
  Result.mapBoth(Schema.decodeUnknownResult(ServiceName)(text), {
    onSuccess: profile,
    onFailure: () => "the name of a service must be in lower camel case, such as galaxPay"
  })

const split = (text: string, by: RegExp): Arr.NonEmptyReadonlyArray<string> =>
  // A split text has at least one part.
  text.split(by) as [string, ...Array<string>]

const wordsOf = (text: string): Arr.NonEmptyReadonlyArray<string> => split(text, /\s+/u)

interface NamedSecrets {
  readonly name: string | undefined
  readonly secrets: SenderConfig["secrets"]
}

/** Parses `whsec_..`, `whsec_new,whsec_old` during a rotation, or `shop=whsec_..` with a name, separated by spaces. */
const secretsOf = (text: string): Result.Result<Arr.NonEmptyReadonlyArray<NamedSecrets>, string> => {
  const words = Arr.map(wordsOf(text), (word): Result.Result<NamedSecrets, string> => {
    const [, name, written = word] = /^([A-Za-z][\w.-]{0,63})=(whsec_.*)$/u.exec(word) ?? []
    const parsed = Arr.map(split(written, /,/u), WebhookSecret.parse)
    const problem = Arr.getFailures(parsed)[0]
    if (problem !== undefined) return Result.fail(problem.message)
    const secrets = Arr.getSuccesses(parsed)
    return Arr.isReadonlyArrayNonEmpty(secrets) ? Result.succeed({ name, secrets }) : Result.fail("it is empty")
  })
  return allOf(words)
}

const confirmHashesOf = (
  text: string
): Result.Result<Arr.NonEmptyReadonlyArray<SenderConfig["confirmHashes"]>, string> =>
  Result.succeed(
    Arr.map(wordsOf(text), (word) =>
      Arr.map(split(word, /,/u), (hash) => Redacted.make(hash, { label: "confirmHash" }))
    )
  )

/**
 * Combines the first secret with the first confirmHash, and so on. One confirmHash with several secrets is one sender, and
 * so is one secret with several confirmHashes.
 */
const sendersOf = ({
  confirmHashes,
  secrets
}: {
  readonly secrets: Arr.NonEmptyReadonlyArray<NamedSecrets>
  readonly confirmHashes: Arr.NonEmptyReadonlyArray<SenderConfig["confirmHashes"]>
}): Result.Result<Arr.NonEmptyReadonlyArray<SenderConfig>, string> => {
  if (secrets.length === confirmHashes.length) {
    return Result.succeed(Arr.zipWith(secrets, confirmHashes, (named, hashes) => ({ ...named, confirmHashes: hashes })))
  }
  if (secrets.length === 1 || confirmHashes.length === 1) {
    const { name } = secrets[0]
    return Result.succeed([
      { name, secrets: Arr.flatMap(secrets, (one) => one.secrets), confirmHashes: Arr.flatten(confirmHashes) }
    ])
  }
  return Result.fail(
    `PARCELA_WEBHOOK_SECRET has ${secrets.length} and PARCELA_CONFIRM_HASH ${confirmHashes.length} entries: the first ` +
      "secret belongs to the first confirmHash, and so on. Put a comma between the secrets of one sender"
  )
}

const allOf = <A, E>(
  results: Arr.NonEmptyReadonlyArray<Result.Result<A, E>>
): Result.Result<Arr.NonEmptyReadonlyArray<A>, E> => {
  const [first, ...rest] = results
  return Result.flatMap(first, (head) => Result.map(Result.all(rest), (tail) => [head, ...tail] as const))
}
