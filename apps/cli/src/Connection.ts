/**
 * The service and the credentials of a command. Each part comes from the flags, or else the environment, or else the
 * profile (`~/.config/parcela/profiles.json`, or the file of `PARCELA_CONFIG`). For a service on this machine the defaults are
 * the sandbox's, with the port of `PARCELA_PORT`.
 *
 * @since 0.1.0
 */
import { type NamingProfile, profile as namingProfile, ServiceName } from "@parcela/core/json/NamingProfile"
import type { ClientOptions } from "@parcela/transport/client/ClientOptions"
import { Config, Console, Effect, Option, Redacted, Schema, FileSystem, Path, Clock } from "effect"
import { BaseUrl, ClientId, Naming, Profile, UsageError } from "./GlobalFlags.ts"
import { dateAt } from "@parcela/core/time/Instant"
import { make } from "@parcela/transport/sandbox/SandboxClient"

export interface Connection extends Pick<ClientOptions, "baseUrl" | "clientId" | "clientSecret"> {
  /** The naming profile of the service; absent for the interface's own names. */
  readonly naming: NamingProfile | undefined
}

const sandbox = {
  clientId: "sandbox",
  clientSecret: Redacted.make("sandbox-secret")
}

const environment = Config.all({
  baseUrl: Config.option(Config.NonEmptyString("PARCELA_BASE_URL")),
  port: Config.String("PARCELA_PORT").pipe(Config.withDefault("")),
  clientId: Config.option(Config.NonEmptyString("PARCELA_CLIENT_ID")),
  clientSecret: Config.option(Config.Redacted("PARCELA_CLIENT_SECRET")),
  controlsToken: Config.option(Config.Redacted("PARCELA_CONTROLS_TOKEN")),
  operatorToken: Config.option(Config.Redacted("PARCELA_OPERATOR_TOKEN")),
  naming: Config.option(Config.NonEmptyString("PARCELA_NAMING"))
})

/** Returns the parts that need no secret: the service's URL and the client id. */
const target = Effect.gen(function* () {
  const env = yield* Effect.orDie(environment)
  const profile = yield* read(yield* Profile)
  const chosenUrl = Option.getOrUndefined(Option.orElse(yield* BaseUrl, () => env.baseUrl))
  const localUrl = `http://127.0.0.1:${yield* localPort(env.port)}/v2`
  const baseUrl = chosenUrl ?? profile.baseUrl ?? localUrl
  const url = yield* parsed(baseUrl)

  // A profile's secrets belong to its own service and must not be sent to another one.
  const isOfProfile = originOf(profile.baseUrl ?? localUrl) === url.origin
  const profileValues = isOfProfile ? profile : {}
  const local = isLoopback(url) ? sandbox : undefined
  const clientId =
    Option.getOrUndefined(Option.orElse(yield* ClientId, () => env.clientId)) ??
    profileValues.clientId ??
    local?.clientId
  if (clientId === undefined) {
    return yield* new UsageError({
      problem: `There is no client id for ${url.origin}`,
      remedy: "Give --client-id, PARCELA_CLIENT_ID or a profile with that baseUrl"
    })
  }
  return { baseUrl, clientId, env, profileValues, local, url }
})

interface Operated {
  readonly token: "controlsToken" | "operatorToken"
  readonly path: string
  /** For messages: the feature (`what`) and who runs it (`whose`). */
  readonly what: string
  readonly whose: string
  readonly variable: string
  readonly secret: string
}

/** Returns the connection of operator commands: URL, token if there is one, and company. */
const operated = ({ path, secret, token: name, variable, what, whose }: Operated) =>
  Effect.gen(function* () {
    const { clientId, env, profileValues, url } = yield* target
    const token = Option.getOrUndefined(env[name]) ?? profileValues[name]
    if (!isLoopback(url) && token === undefined) {
      return yield* new UsageError({
        problem: `${url.origin} is not on this machine, and its ${what} a token`,
        remedy: `Set ${variable} to that of the ${whose}, or run this on its machine`
      })
    }
    if (token !== undefined) yield* warnInTheClear(url, secret)
    return { baseUrl: `${url.origin}${path}`, clientId, token }
  })

/** The connection to a sandbox's controls. */
export const controls = Effect.map(
  operated({
    token: "controlsToken",
    path: "/sandbox",
    what: "controls need",
    whose: "sandbox",
    variable: "PARCELA_CONTROLS_TOKEN",
    secret: "controls token"
  }),
  ({ token: controlsToken, ...rest }) => ({ ...rest, controlsToken })
)

/** The connection to a service's administration. */
export const administration = Effect.map(
  operated({
    token: "operatorToken",
    path: "/admin",
    what: "administration needs",
    whose: "service",
    variable: "PARCELA_OPERATOR_TOKEN",
    secret: "operator token"
  }),
  ({ token: operatorToken, ...rest }) => ({ ...rest, operatorToken })
)

/** Warns that a secret is sent to another machine without TLS. */
const warnInTheClear = (url: URL, secret: string) =>
  url.protocol === "http:" && !isLoopback(url)
    ? Console.error(`warning: ${url.origin} is not encrypted: the ${secret} travels in the clear`)
    : Effect.void

/** The naming profile of the service, if it is known. */
export const naming = Effect.gen(function* () {
  const { env, profileValues } = yield* target
  const name = Option.getOrUndefined(Option.orElse(yield* Naming, () => env.naming)) ?? profileValues.naming
  return name === undefined ? undefined : yield* named(name)
})

export const connection = Effect.gen(function* () {
  const { baseUrl, clientId, env, profileValues, local, url } = yield* target
  const clientSecret =
    Option.getOrUndefined(env.clientSecret) ??
    (clientId === profileValues.clientId ? profileValues.clientSecret : undefined) ??
    (clientId === local?.clientId ? local.clientSecret : undefined)
  if (clientSecret === undefined) {
    return yield* new UsageError({
      problem: `There is no client secret for "${clientId}" at ${url.origin}`,
      remedy: "Set PARCELA_CLIENT_SECRET, or store the secret in a profile with that baseUrl and clientId"
    })
  }
  yield* warnInTheClear(url, "client secret")
  return { baseUrl, clientId, clientSecret, naming: yield* naming } satisfies Connection
})

const named = (name: string): Effect.Effect<NamingProfile, UsageError> =>
  Schema.decodeEffect(ServiceName)(name).pipe(
    Effect.mapBoth({
      onSuccess: namingProfile,
      onFailure: () =>
        new UsageError({
          problem: `"${name}" is not a name that a service has on the wire`,
          remedy: "Use lower camel case, such as galaxPay, as in the key galaxPayId"
        })
    })
  )

/** Returns true for a URL of this machine. */
export const isLoopback = (url: URL): boolean =>
  url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d{1,3}){3}$/u.test(url.hostname)

/** Returns the sandbox's port on this machine. With 0 the sandbox chose a free port, so the default is used. */
const localPort = (text: string): Effect.Effect<string, UsageError> => {
  if (text === "" || text === "0") return Effect.succeed("8026")
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Effect.succeed(String(Number(text)))
    : Effect.fail(
        new UsageError({
          problem: "PARCELA_PORT is not a port",
          remedy: "Use a whole number from 1 to 65535, such as 8026"
        })
      )
}

const originOf = (text: string): string | undefined => URL.parse(text)?.origin

const parsed = (text: string): Effect.Effect<URL, UsageError> => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.username === ""
    ? Effect.succeed(url)
    : Effect.fail(
        new UsageError({
          problem: "The base URL is not an http or https URL without a user name",
          remedy: "Use a URL such as https://api.example.com/v2"
        })
      )
}

const StoredProfile = Schema.Struct({
  baseUrl: Schema.optionalKey(Schema.String),
  clientId: Schema.optionalKey(Schema.String),
  clientSecret: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "client secret" })),
  controlsToken: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "controls token" })),
  operatorToken: Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "operator token" })),
  naming: Schema.optionalKey(Schema.String)
})

type StoredProfile = typeof StoredProfile.Type

const Profiles = Schema.fromJsonString(Schema.Record(Schema.String, StoredProfile))

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

const noProfile: StoredProfile = {}

/**
 * Returns the profile of a name. Without a name it is "default", or nothing if there is no file. Warns if other users
 * can read the file.
 */
const read = Effect.fn("Profiles.read")(function* (name: Option.Option<string>) {
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

/** Today's date in Brazil. Falls back to the machine's date if the sandbox clock cannot be read. */
const companyDay = Effect.gen(function* () {
  const { clientId, ...options } = yield* controls
  const client = yield* make({ ...options, retries: 0 })
  const { today } = yield* client.clock.show(clientId)
  return today
}).pipe(
  Effect.orElseSucceed(() => undefined),
  Effect.flatMap((day) =>
    day === undefined ? Effect.map(Clock.currentTimeMillis, (now) => dateAt(now)) : Effect.succeed(day)
  )
)

/** Returns today's date of the company as a field, if the body does not have the field. */
export const todayWithout = (field: string) => (body: object) =>
  field in body ? Effect.succeed({}) : Effect.map(companyDay, (day) => ({ [field]: day }))
