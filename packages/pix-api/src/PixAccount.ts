/**
 * Accounts at providers (PSPs) with API Pix, and the account of each company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/** A URL that receives the client's secret: `http` only within this machine or a network of containers. */
const Address = Schema.String.check(
  Schema.isPattern(/^(https:\/\/[^\s/?#@]+|http:\/\/(\[::1\]|127\.0\.0\.1|[a-z0-9-]+)(:\d{1,5})?)(\/[^\s?#]*)?$/u, {
    expected: "an https address without query (http only for this machine and for names without a dot)"
  })
)

/**
 * The secret in the URL of callbacks.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CallbackSecret = Schema.String.check(
  Schema.isPattern(/^[\w-]{24,255}$/u, { expected: "24 to 255 letters, digits, hyphens and underscores" })
)

/**
 * An account at a provider.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixAccount = Schema.Struct({
  /** The base URL of API Pix with its version: `https://pix.psp.example/api/v2`. */
  baseUrl: Address,
  /** The URL of the token endpoint (OAuth 2, client credentials). */
  tokenUrl: Address,
  clientId: Schema.NonEmptyString,
  clientSecret: Schema.Redacted(Schema.NonEmptyString),
  /** Requested scopes, separated by spaces. If absent, the provider decides. */
  scope: Schema.optionalKey(Schema.NonEmptyString),
  /** Format of the token request: `form` (RFC 6749, the default), or `json`, which some providers require. */
  tokenRequest: Schema.optionalKey(Schema.Literals(["form", "json"])),
  /** The receiver's Pix key. */
  key: Schema.String.check(Schema.isPattern(/^[!-~]{1,77}$/u, { expected: "a Pix key of 1 to 77 characters" })),
  /** Prefix of every txid. Installations that share an account need different prefixes, because a txid is used once. */
  txidPrefix: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,24}$/u, { expected: "1 to 24 letters and digits" })),
  /**
   * Secret in the URL of callbacks: 24 to 255 random letters, digits, `-` and `_`. If absent, there are no callbacks.
   */
  callbackSecret: Schema.optionalKey(Schema.Redacted(CallbackSecret)),
  /** Receiver's name in Pix codes that the provider does not create, at most 25 characters. */
  merchantName: Schema.String.check(Schema.isBetweenLength(1, 25)),
  /** Receiver's city in Pix codes that the provider does not create, at most 15 characters. */
  merchantCity: Schema.String.check(Schema.isBetweenLength(1, 15))
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixAccount = typeof PixAccount.Type

/**
 * The accounts of the companies.
 *
 * @category services
 * @since 0.1.0
 */
export class PixAccounts extends Context.Service<
  PixAccounts,
  {
    /** Returns the account of a company, or undefined. */
    readonly of: (companyId: CompanyId) => PixAccount | undefined
    /** Every account once, even if several companies share it. */
    readonly all: ReadonlyArray<PixAccount>
  }
>()("@parcela/pix-api/PixAccounts") {
  /** One account for all companies. Fails if the account is malformed. */
  static readonly layerOne = (account: PixAccount): Layer.Layer<PixAccounts, Schema.SchemaError> =>
    Layer.effect(
      PixAccounts,
      Effect.map(checked(account), (one) => PixAccounts.of({ of: () => one, all: [one] }))
    )

  /** An account for each company. Fails if an account is malformed. */
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
