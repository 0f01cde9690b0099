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
 * A client id and the keyed hash of its secret. The secret itself is not stored.
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
 * A company with one of its client ids.
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
    /** Stores a new company and assigns its identifier. */
    readonly insert: (company: Omit<CompanyState, "id">) => Effect.Effect<CompanyState, StoreError>
    /** Stores a new company with a credential in one commit. Fails with `Conflict` if the client id already exists. */
    readonly insertWithCredential: (
      company: Omit<CompanyState, "id">,
      credential: Omit<Credential, "companyId">
    ) => Effect.Effect<CompanyState, StoreError>
    readonly find: (id: CompanyId) => Effect.Effect<Option.Option<CompanyState>, StoreError>
    /** Replaces the given fields. Returns none for an unknown company. */
    readonly edit: (
      id: CompanyId,
      fields: Partial<Pick<CompanyState, "name" | "legalName" | "document" | "city">>
    ) => Effect.Effect<Option.Option<CompanyState>, StoreError>
    /** Returns a page of companies ordered by client id, starting after `after`. */
    readonly list: (page: {
      readonly after?: string | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ListedCompany>, StoreError>
    /** Stores a credential. Replaces an earlier credential with the same client id. */
    readonly putCredential: (credential: Credential) => Effect.Effect<void, StoreError>
    readonly findCredential: (clientId: string) => Effect.Effect<Option.Option<Credential>, StoreError>
  }
>()("@parcela/engine/ports/Companies") {}
