/**
 * The profile file, which stores named connections with their secrets: `~/.config/parcela/profiles.json`, or the file
 * of `PARCELA_CONFIG`.
 *
 * @since 0.1.0
 */
import { Config, Console, Effect, FileSystem, Option, Path, Schema } from "effect"
import { UsageError } from "./UsageError.ts"

const Profile = Schema.Struct({
  baseUrl: Schema.optionalKey(Schema.String),
  clientId: Schema.optionalKey(Schema.String),
  clientSecret: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "client secret" })),
  controlsToken: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "controls token" })),
  operatorToken: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "operator token" })),
  naming: Schema.optionalKey(Schema.String)
})

type Profile = typeof Profile.Type

const Profiles = Schema.fromJsonString(Schema.Record(Schema.String, Profile))

const location = Effect.gen(function* () {
  const path = yield* Path.Path
  const given = yield* Config.option(Config.NonEmptyString("PARCELA_CONFIG"))
  if (Option.isSome(given)) return given
  const home = yield* Config.option(
    Config.NonEmptyString("XDG_CONFIG_HOME").pipe(
      Config.orElse(() => Config.NonEmptyString("HOME").pipe(Config.map((home) => path.join(home, ".config")))),
      Config.orElse(() => Config.NonEmptyString("APPDATA"))
    )
  )
  return Option.map(home, (folder) => path.join(folder, "parcela", "profiles.json"))
})

const noProfile: Profile = {}

/**
 * Returns the profile of a name. Without a name it is "default", or nothing if there is no file. Warns if other users
 * can read the file.
 */
export const read = Effect.fn("Profiles.read")(function* (name: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* Effect.orDie(location)
  const isThere = Option.isSome(file) && (yield* fs.exists(file.value).pipe(Effect.orElseSucceed(() => false)))
  if (Option.isNone(file) || !isThere) {
    if (Option.isNone(name)) return noProfile
    return yield* new UsageError({
      problem: `There is no profile "${name.value}": ${Option.getOrElse(file, () => "the profile file")} does not exist`,
      remedy: `Create it with { "${name.value}": { "baseUrl": "..", "clientId": "..", "clientSecret": ".." } } and chmod 600`
    })
  }
  yield* warnWhenOpen(file.value)
  const profiles = yield* fs.readFileString(file.value).pipe(
    Effect.flatMap(Schema.decodeEffect(Profiles, { onExcessProperty: "error" })),
    Effect.mapError(
      // The cause could quote a secret from the file.
      () =>
        new UsageError({
          problem: `The profile file ${file.value} cannot be read`,
          remedy:
            'It must be readable and hold JSON such as { "default": { "baseUrl": "..", "clientId": "..", "clientSecret": ".." } }'
        })
    )
  )
  const wanted = Option.getOrElse(name, () => "default")
  const profile = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (profile !== undefined) return profile
  if (Option.isNone(name)) return noProfile
  return yield* new UsageError({
    problem: `There is no profile "${wanted}" in ${file.value}`,
    remedy: `It has: ${Object.keys(profiles).join(", ") || "none"}`
  })
})

const warnWhenOpen = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  // Windows has no such permissions.
  if (path.sep === "\\") return
  const mode = yield* fs.stat(file).pipe(
    Effect.map((info) => info.mode),
    Effect.orElseSucceed(() => 0)
  )
  if ((mode & 0o077) !== 0) {
    yield* Console.error(`warning: ${file} holds secrets and others can read it: chmod 600 ${file}`)
  }
})
