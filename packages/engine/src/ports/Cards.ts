/**
 * Port: the cards of each company's customers.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
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
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<CardState>, StoreError>
  }
>()("@parcela/engine/ports/Cards") {}
