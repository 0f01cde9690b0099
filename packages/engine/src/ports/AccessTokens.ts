/**
 * Port: the access tokens in force, by keyed hash. A token itself is kept nowhere.
 *
 * @since 0.1.0
 */
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
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
  /** Whose credentials it was issued for. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: MachineTime
}

/**
 * A token with the company that it belongs to.
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
    /** The token of that hash, expired or not, and its company: all that a request needs to be let in, in one look-up. */
    readonly find: (hash: string) => Effect.Effect<Option.Option<TokenWithCompany>, StoreError>
    /** Deletes at most `limit` tokens that expired before `now`; returns how many. */
    readonly deleteExpired: (now: MachineTime, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/ports/AccessTokens") {}
