/**
 * The flags of every command, and the error of a wrong command line or setting. There is no flag for the client secret,
 * because every user of a machine can read command lines.
 *
 * @since 0.1.0
 */
import { Flag, GlobalFlag } from "effect/cli"
import { Schema } from "effect"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print responses as JSON on stdout, and errors as JSON on stderr"),
    Flag.withDefault(false)
  )
})

export const BaseUrl = GlobalFlag.Setting("base-url")({
  flag: Flag.String("base-url").pipe(
    Flag.withDescription("URL of the service with /v2 (default: PARCELA_BASE_URL, the profile, or the local sandbox)"),
    Flag.withMetavar("url"),
    Flag.optional
  )
})

export const ClientId = GlobalFlag.Setting("client-id")({
  flag: Flag.String("client-id").pipe(
    Flag.withDescription("Client id (default: PARCELA_CLIENT_ID or the profile); the secret is PARCELA_CLIENT_SECRET"),
    Flag.withMetavar("id"),
    Flag.optional
  )
})

export const Profile = GlobalFlag.Setting("profile")({
  flag: Flag.String("profile").pipe(
    Flag.withDescription('Profile in ~/.config/parcela/profiles.json (default: "default")'),
    Flag.withMetavar("name"),
    Flag.optional
  )
})

export const Naming = GlobalFlag.Setting("naming")({
  flag: Flag.String("naming").pipe(
    Flag.withDescription("Naming profile of the service, such as galaxPay (default: PARCELA_NAMING or the profile)"),
    Flag.withMetavar("name"),
    Flag.optional
  )
})

export const globalFlags = [Json, BaseUrl, ClientId, Profile, Naming] as const

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** The problem, as a sentence without full stop. */
  problem: Schema.String,
  /** The remedy, as a sentence without full stop. */
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.problem}. ${this.remedy}`
  }
}
