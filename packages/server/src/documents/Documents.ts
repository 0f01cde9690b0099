/**
 * Port: what is behind the links of a boleto or a Pix.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/Identifier"
import { Listings } from "@parcela/engine/Listings"
import type { Shown } from "@parcela/engine/Views"
import type { StoreError } from "@parcela/engine/StoreError"
import { Transactions } from "@parcela/engine/Transactions"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/**
 * @category ports
 * @since 0.1.0
 */
export class Documents extends Context.Service<
  Documents,
  {
    /** A payment with what is shown beside it; none when there is no such payment or its key is another. */
    readonly find: (svcPayId: SvcPayId, documentKey: string) => Effect.Effect<Option.Option<Shown>, StoreError>
  }
>()("@parcela/server/documents/Documents") {
  static readonly layer: Layer.Layer<Documents, never, Listings | Transactions> = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const listings = yield* Listings
      const transactions = yield* Transactions
      return Documents.of({
        find: Effect.fn("Documents.find")(function* (svcPayId, documentKey) {
          const found = yield* transactions.findByDocument(svcPayId, documentKey)
          return Option.isNone(found) ? Option.none() : Option.some(yield* listings.shown(found.value))
        })
      })
    })
  )
}
