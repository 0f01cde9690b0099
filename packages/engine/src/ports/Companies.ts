/**
 * Port: the companies of the service and their credentials.
 *
 * @since 0.1.0
 */
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * A client id and the keyed hash of its secret. The secret itself is kept nowhere.
 *
 * @category models
 * @since 0.1.0
 */
export interface Credential {
  readonly clientId: string
  readonly secretHash: string
  readonly companyId: CompanyId
}

/**
 * A company as one of its credentials names it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedCompany {
  readonly clientId: string
  readonly company: CompanyState
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Companies extends Context.Service<
  Companies,
  {
    /** Keeps a new company and gives it its identifier. */
    readonly insert: (company: Omit<CompanyState, "id">) => Effect.Effect<CompanyState, StoreError>
    /** The same with a credential for it, in one commit; fails with `Conflict` when the client id has one already. */
    readonly insertWithCredential: (
      company: Omit<CompanyState, "id">,
      credential: Omit<Credential, "companyId">
    ) => Effect.Effect<CompanyState, StoreError>
    readonly find: (id: CompanyId) => Effect.Effect<Option.Option<CompanyState>, StoreError>
    /** Replaces the fields that are given; none when there is no such company. */
    readonly edit: (
      id: CompanyId,
      fields: Partial<Pick<CompanyState, "name" | "legalName" | "document" | "city">>
    ) => Effect.Effect<Option.Option<CompanyState>, StoreError>
    /** A page of the companies by their client ids, in the order of those; only client ids behind `after`. */
    readonly list: (page: {
      readonly after?: string | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ListedCompany>, StoreError>
    /** Keeps a credential, in place of an earlier one with the same client id. */
    readonly putCredential: (credential: Credential) => Effect.Effect<void, StoreError>
    readonly findCredential: (clientId: string) => Effect.Effect<Option.Option<Credential>, StoreError>
  }
>()("@parcela/engine/ports/Companies") {}
