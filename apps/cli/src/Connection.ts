/**
 * Which service, and as whom: each part from the flags, else the environment, else the profile, else, for a service
 * on this machine, the sandbox's defaults, with the port that `PARCELA_PORT` gives the sandbox.
 *
 * @since 0.1.0
 */
import { type NamingProfile, profile as namingProfile, ServiceName } from "@parcela/core/json/NamingProfile"
import type { ClientOptions } from "@parcela/transport/client/ClientOptions"
import { Config, Console, Effect, Option, Redacted, Schema } from "effect"
import { BaseUrl, ClientId, Naming, Profile } from "./GlobalFlags.ts"
import * as Profiles from "./Profiles.ts"
import { UsageError } from "./UsageError.ts"

export interface Connection extends Pick<ClientOptions, "baseUrl" | "clientId" | "clientSecret"> {
  /** The names that the service uses on the wire; absent where they are the interface's own. */
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

/** Where the service is, and as whom, as far as no secret is needed. */
const place = Effect.gen(function* () {
  const env = yield* Effect.orDie(environment)
  const profile = yield* Profiles.read(yield* Profile)
  const chosenUrl = Option.getOrUndefined(Option.orElse(yield* BaseUrl, () => env.baseUrl))
  const localUrl = `http://127.0.0.1:${yield* localPort(env.port)}/v2`
  const baseUrl = chosenUrl ?? profile.baseUrl ?? localUrl
  const url = yield* parsed(baseUrl)

  // What a profile keeps is for its own service: another address must not be handed its secret.
  const isOfProfile = originOf(profile.baseUrl ?? localUrl) === url.origin
  const kept = isOfProfile ? profile : {}
  const local = isLoopback(url) ? sandbox : undefined
  const clientId =
    Option.getOrUndefined(Option.orElse(yield* ClientId, () => env.clientId)) ?? kept.clientId ?? local?.clientId
  if (clientId === undefined) {
    return yield* new UsageError({
      problem: `There is no client id for ${url.origin}`,
      remedy: "Give --client-id, PARCELA_CLIENT_ID or a profile with that baseUrl"
    })
  }
  return { baseUrl, clientId, env, kept, local, url }
})

interface Operated {
  readonly token: "controlsToken" | "operatorToken"
  readonly path: string
  /** What is behind that path, and whose it is. */
  readonly what: string
  readonly whose: string
  readonly variable: string
  readonly secret: string
}

/** What is for operators: its address, the token where there is one, and the company that it is about. */
const operated = ({ path, secret, token: name, variable, what, whose }: Operated) =>
  Effect.gen(function* () {
    const { clientId, env, kept, url } = yield* place
    const token = Option.getOrUndefined(env[name]) ?? kept[name]
    if (!isLoopback(url) && token === undefined) {
      return yield* new UsageError({
        problem: `${url.origin} is not on this machine, and its ${what} a token`,
        remedy: `Set ${variable} to that of the ${whose}, or run this on its machine`
      })
    }
    if (token !== undefined) yield* warnInTheClear(url, secret)
    return { baseUrl: `${url.origin}${path}`, clientId, token }
  })

/** The controls of a sandbox. */
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

/** The administration of a service. */
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

/** A secret that goes to another machine without TLS can be read on the way. */
const warnInTheClear = (url: URL, secret: string) =>
  url.protocol === "http:" && !isLoopback(url)
    ? Console.error(`warning: ${url.origin} is not encrypted: the ${secret} travels in the clear`)
    : Effect.void

/** The names that the service uses, where they are known. */
export const naming = Effect.gen(function* () {
  const { env, kept } = yield* place
  const name = Option.getOrUndefined(Option.orElse(yield* Naming, () => env.naming)) ?? kept.naming
  return name === undefined ? undefined : yield* named(name)
})

export const connection = Effect.gen(function* () {
  const { baseUrl, clientId, env, kept, local, url } = yield* place
  const clientSecret =
    Option.getOrUndefined(env.clientSecret) ??
    (clientId === kept.clientId ? kept.clientSecret : undefined) ??
    (clientId === local?.clientId ? local.clientSecret : undefined)
  if (clientSecret === undefined) {
    return yield* new UsageError({
      problem: `There is no client secret for "${clientId}" at ${url.origin}`,
      remedy: "Set PARCELA_CLIENT_SECRET, or keep it in a profile with that baseUrl and clientId"
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
          remedy: "It is in lower camel case, such as galaxPay, and stands in keys such as galaxPayId"
        })
    })
  )

/** True for an address of this machine. */
export const isLoopback = (url: URL): boolean =>
  url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d{1,3}){3}$/u.test(url.hostname)

/** The sandbox's port on this machine. With 0 it took a free one, which nobody else can know. */
const localPort = (text: string): Effect.Effect<string, UsageError> => {
  if (text === "" || text === "0") return Effect.succeed("8026")
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Effect.succeed(String(Number(text)))
    : Effect.fail(
        new UsageError({
          problem: "PARCELA_PORT is no port",
          remedy: "It is a whole number from 1 to 65535, such as 8026"
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
          problem: "The base URL is no http or https address without a user name",
          remedy: "It looks like https://api.example.com/v2"
        })
      )
}
