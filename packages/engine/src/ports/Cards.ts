/**
 * Port: the cards of each company's customers, as vault tokens.
 *
 * @since 0.1.0
 */
import type { CardState, VaultToken } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef, SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class Cards extends Context.Service<
  Cards,
  {
    /** Fails with `Conflict` when the company has a card of that `myId`, or the customer one of that key, already. */
    readonly insert: (card: CardState) => Effect.Effect<void, StoreError>
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<CardState>, StoreError>
    readonly update: (card: CardState) => Effect.Effect<void, StoreError>
    /** The customer's card with that key in the vault. */
    readonly findByVaultToken: (
      companyId: CompanyId,
      customerId: SvcPayId,
      vaultToken: VaultToken
    ) => Effect.Effect<Option.Option<CardState>, StoreError>
  }
>()("@parcela/engine/ports/Cards") {}
