/**
 * Accounts at providers (PSPs) that speak API Pix, and which company is paid into which.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/** Over `http` only within a machine or a network of containers: the client's secret goes there. */
const Address = Schema.String.check(
  Schema.isPattern(/^(https:\/\/[^\s/?#@]+|http:\/\/(\[::1\]|127\.0\.0\.1|[a-z0-9-]+)(:\d{1,5})?)(\/[^\s?#]*)?$/u, {
    expected: "an https address without query (http only for this machine and for names without a dot)"
  })
)

/**
 * What the address of callbacks has in it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CallbackSecret = Schema.String.check(
  Schema.isPattern(/^[\w-]{24,255}$/u, { expected: "24 to 255 letters, digits, hyphens and underscores" })
)

/**
 * One account, as its provider hands it out.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixAccount = Schema.Struct({
  /** Where API Pix is, with the version: `https://pix.psp.example/api/v2`. */
  baseUrl: Address,
  /** Where tokens are given (OAuth 2, client credentials). */
  tokenUrl: Address,
  clientId: Schema.NonEmptyString,
  clientSecret: Schema.Redacted(Schema.NonEmptyString),
  /** The scopes to ask for, separated by blanks; without it the provider decides. */
  scope: Schema.optionalKey(Schema.NonEmptyString),
  /** How the token is asked for: as RFC 6749 says, or as JSON, which some providers want; default `form`. */
  tokenRequest: Schema.optionalKey(Schema.Literals(["form", "json"])),
  /** The receiver's Pix key, which every charge is paid to. */
  key: Schema.String.check(Schema.isPattern(/^[!-~]{1,77}$/u, { expected: "a Pix key of 1 to 77 characters" })),
  /** What every txid of this installation begins with. No other installation on the same account may have it: txids are never used twice. */
  txidPrefix: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,24}$/u, { expected: "1 to 24 letters and digits" })),
  /** What the address of callbacks has in it: 24 to 255 letters, digits, `-` and `_`, from a random source. Without it there are none. */
  callbackSecret: Schema.optionalKey(Schema.Redacted(CallbackSecret)),
  /** For codes that the provider leaves to us, at most 25 characters. */
  merchantName: Schema.String.check(Schema.isBetweenLength(1, 25)),
  /** For codes that the provider leaves to us, at most 15 characters. */
  merchantCity: Schema.String.check(Schema.isBetweenLength(1, 15))
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixAccount = typeof PixAccount.Type

/**
 * Which account a company is paid into.
 *
 * @category services
 * @since 0.1.0
 */
export class PixAccounts extends Context.Service<
  PixAccounts,
  {
    /** The account of a company; `undefined` when it has none. */
    readonly of: (companyId: CompanyId) => PixAccount | undefined
    /** Every account, once, however many companies are paid into it. */
    readonly all: ReadonlyArray<PixAccount>
  }
>()("@parcela/pix-api/PixAccounts") {
  /** One account that every company is paid into. Fails when it is malformed. */
  static readonly layerOne = (account: PixAccount): Layer.Layer<PixAccounts, Schema.SchemaError> =>
    Layer.effect(
      PixAccounts,
      Effect.map(checked(account), (one) => PixAccounts.of({ of: () => one, all: [one] }))
    )

  /** An account for each company. Fails when one is malformed. */
  static readonly layerByCompany = (
    accounts: ReadonlyMap<CompanyId, PixAccount>
  ): Layer.Layer<PixAccounts, Schema.SchemaError> =>
    Layer.effect(
      PixAccounts,
      Effect.as(
        Effect.forEach(accounts.values(), (account) => checked(account), { discard: true }),
        PixAccounts.of({ of: (companyId) => accounts.get(companyId), all: Arr.dedupe(accounts.values()) })
      )
    )
}

const checked = Schema.decodeEffect(Schema.toType(PixAccount))
