/**
 * Port: the issued access tokens, by keyed hash. The tokens themselves are not stored.
 *
 * @since 0.1.0
 */
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { Scope } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface AccessTokenRow {
  readonly hash: string
  readonly companyId: CompanyId
  /** The client id whose credentials issued the token. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: MachineTime
}

/**
 * A token and its company.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenWithCompany {
  readonly token: AccessTokenRow
  readonly company: CompanyState
}

/**
 * @category ports
 * @since 0.1.0
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly insert: (token: AccessTokenRow) => Effect.Effect<void, StoreError>
    /** Returns the token with this hash and its company in one query. The token may have expired. */
    readonly find: (hash: string) => Effect.Effect<Option.Option<TokenWithCompany>, StoreError>
    /** Deletes at most `limit` tokens that expired before `now`. Returns their number. */
    readonly deleteExpired: (now: MachineTime, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/ports/AccessTokens") {}
