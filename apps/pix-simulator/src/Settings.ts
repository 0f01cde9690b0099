/**
 * The settings of the program, from environment variables.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

export interface Settings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The receiver's Pix key. */
  readonly key: string
  /** Time of the simulator's clock at the start. Defaults to the machine's time. */
  readonly clock: DateTime.Utc | undefined
}

/** A setting is missing or invalid. The message names the setting. */
class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", { message: Schema.String }) {}

/** 0 selects any free port. */
const Port = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))

const config = Config.all({
  host: Config.withDefault(Config.String("PARCELA_PIX_HOST"), "127.0.0.1"),
  port: Config.withDefault(Config.schema(Port, "PARCELA_PIX_PORT"), 8036),
  database: Config.withDefault(Config.String("PARCELA_PIX_DATABASE"), ".parcela/pix-simulator.db"),
  clientId: Config.withDefault(Config.String("PARCELA_PIX_CLIENT_ID"), "parcela"),
  clientSecret: Config.Redacted("PARCELA_PIX_CLIENT_SECRET"),
  key: Config.withDefault(Config.String("PARCELA_PIX_KEY"), "pix@parcela.example"),
  clock: Config.option(Config.schema(Schema.DateTimeUtcFromString, "PARCELA_PIX_CLOCK"))
})

/** Reads all settings. Fails with the first problem. */
export const settings: Effect.Effect<Settings, SettingsError> = Effect.gen(function* () {
  const { clock, ...rest } = yield* config
  return { ...rest, clock: Option.getOrUndefined(clock) }
}).pipe(
  Effect.mapError(({ message }) => {
    const name = /PARCELA_\w+/u.exec(message)?.[0] ?? "A setting"
    return new SettingsError({
      message: `${name} is missing or invalid: apps/pix-simulator/README.md lists the settings`
    })
  })
)
