/**
 * Hands the card of a request to the operator's vault, before anything is written.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/BillingError"
import { brandOf } from "@parcela/core/CardBrand"
import type { CardInput } from "@parcela/core/CardInput"
import { mask } from "@parcela/core/CardNumber"
import { refusalsOf } from "@parcela/core/CardRefusals"
import type { CompanyId } from "@parcela/core/CompanyState"
import { dateAt } from "@parcela/core/WallClock"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CardOperator } from "../CardOperator.ts"
import { inTime } from "../InTime.ts"
import type { OutsideError } from "../OutsideError.ts"
import { Sequences } from "../Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../StoreError.ts"
import type { CardInHand } from "./CardInHand.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class Cardholding extends Context.Service<
  Cardholding,
  {
    /** Hands a new card to the vault; one that is named is only named. */
    readonly take: (
      companyId: CompanyId,
      input: CardInput
    ) => Effect.Effect<CardInHand, BillingError | OutsideError | StoreError>
  }
>()("@parcela/engine/usecases/Cardholding") {
  static readonly layer: Layer.Layer<Cardholding, never, CardOperator | Sequences> = Layer.effect(
    Cardholding,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const sequences = yield* Sequences
      const { attemptTimeout, zone } = yield* Settings
      return Cardholding.of({
        take: Effect.fn("Cardholding.take")(function* (companyId: CompanyId, input: CardInput) {
          if (!("number" in input)) {
            return "svcPayId" in input
              ? ({ _tag: "Known", svcPayId: input.svcPayId } as const)
              : ({ _tag: "KnownAs", myId: input.myId } as const)
          }
          const number = Redacted.value(input.number)
          const today = dateAt(yield* Clock.currentTimeMillis, zone)
          const [first, ...others] = refusalsOf({ ...input, number }, today)
          if (first !== undefined) return yield* refuse(first, ...others)
          const vaultToken = yield* operator.keep(companyId, input).pipe(inTime("card operator", attemptTimeout))
          const { expiresAt, myId } = input
          const card = { myId, vaultToken, brand: Option.getOrThrow(brandOf(number)), mask: mask(number), expiresAt }
          return { _tag: "Kept", card, newId: yield* sequences.next("card") } as const
        })
      })
    })
  )
}
