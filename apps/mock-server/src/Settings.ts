/**
 * What the program reads from its environment, once.
 *
 * @since 0.1.0
 */
import { profile, ServiceName, svcPay } from "@parcela/core/NamingProfile"
import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const Port = Schema.NumberFromString.check(
  Schema.makeFilter((port) => Number.isInteger(port) && port >= 0 && port <= 65_535, {
    expected: "a port: a whole number from 0 (any free one) to 65535"
  })
)

/** Every setting with its default; all faults are reported at once. */
export const settings = Config.all({
  host: Config.String("PARCELA_HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(Port, "PARCELA_PORT").pipe(Config.withDefault(8026)),
  database: Config.String("PARCELA_DATABASE").pipe(Config.withDefault(".parcela/sandbox.db")),
  clientId: Config.NonEmptyString("PARCELA_CLIENT_ID").pipe(Config.withDefault("sandbox")),
  clientSecret: Config.Redacted("PARCELA_CLIENT_SECRET").pipe(Config.withDefault(Redacted.make("sandbox-secret"))),
  naming: Config.schema(ServiceName, "PARCELA_NAMING").pipe(Config.map(profile), Config.withDefault(svcPay)),
  publicUrl: Config.String("PARCELA_PUBLIC_URL").pipe(Config.option)
})

export type Settings = Config.Success<typeof settings>
