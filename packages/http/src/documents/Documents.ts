/**
 * Port: the data behind the links of a boleto or a Pix.
 *
 * @since 0.1.0
 */
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import type { PaymentSnapshot } from "@parcela/engine/queries/Views"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Transactions } from "@parcela/engine/ports/Transactions"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/**
 * @category ports
 * @since 0.1.0
 */
export class Documents extends Context.Service<
  Documents,
  {
    /** Returns a payment with the data of its documents, or none if the payment does not exist or the key is wrong. */
    readonly find: (
      svcPayId: SvcPayId,
      documentKey: string
    ) => Effect.Effect<Option.Option<PaymentSnapshot & Pick<CompanyContext, "clock">>, StoreError>
  }
>()("@parcela/http/documents/Documents") {
  static readonly layer: Layer.Layer<Documents, never, CommandStore | Transactions> = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const store = yield* CommandStore
      const transactions = yield* Transactions
      return Documents.of({
        find: Effect.fn("Documents.find")(function* (svcPayId, documentKey) {
          const found = yield* transactions.findByDocument(svcPayId, documentKey)
          if (Option.isNone(found)) return Option.none()
          const { value } = yield* store.run({
            load: "payment",
            args: { companyId: found.value.companyId, transaction: bySvcPayId(svcPayId) },
            decide: (loaded) => Result.succeed({ value: loaded.found, writes: undefined })
          })
          return Option.fromUndefinedOr(value)
        })
      })
    })
  )
}
