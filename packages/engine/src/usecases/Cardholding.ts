/**
 * Hands the card of a request to the operator's vault, before anything is written.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/errors/BillingError"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { brandOf } from "@parcela/core/cards/CardBrand"
import type { CardInput } from "@parcela/core/cards/CardInput"
import { mask } from "@parcela/core/cards/CardNumber"
import { refusalsOf } from "@parcela/core/cards/CardRefusals"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/WallClock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CardOperator } from "../ports/CardOperator.ts"
import type { Ran } from "../commands/Command.ts"
import { inTime } from "../attempts/InTime.ts"
import type { OutsideError } from "../ports/OutsideError.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { CardInHand } from "./CardInHand.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class Cardholding extends Context.Service<
  Cardholding,
  {
    /**
     * Takes the card of a command in hand: one that is named is only named, a new one is handed to the vault. A vault
     * forgets nothing, so `check` runs first: it refuses what is refused whatever its card is, meets a known key, and
     * says the time that the card is judged at.
     */
    readonly take: <E, R>(
      companyId: CompanyId,
      input: CardInput | undefined,
      check: Effect.Effect<Ran<BusinessTime>, E, R>
    ) => Effect.Effect<Ran<CardInHand | undefined>, BillingError | OutsideError | StoreError | E, R>
  }
>()("@parcela/engine/usecases/Cardholding") {
  static readonly layer: Layer.Layer<Cardholding, never, CardOperator | Sequences> = Layer.effect(
    Cardholding,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const sequences = yield* Sequences
      const { attemptTimeout, zone } = yield* Settings

      const keep = Effect.fn("Cardholding.keep")(function* (companyId: CompanyId, input: NewCard, now: BusinessTime) {
        const number = Redacted.value(input.number)
        const today = dateAt(now, zone)
        const [first, ...others] = refusalsOf({ ...input, number }, today)
        if (first !== undefined) return yield* refuse(first, ...others)
        const vaultToken = yield* operator.keep(companyId, input).pipe(inTime("card operator", attemptTimeout))
        const { expiresAt, myId } = input
        const card = { myId, vaultToken, brand: Option.getOrThrow(brandOf(number)), mask: mask(number), expiresAt }
        return { _tag: "Kept", card, newId: yield* sequences.next("card") } as const
      })

      return Cardholding.of({
        take: Effect.fn("Cardholding.take")(function* (companyId, input, check) {
          if (input === undefined) return { _tag: "Done", value: undefined } as const
          const checked = yield* check
          if (checked._tag !== "Done") return checked
          return {
            _tag: "Done",
            value: "number" in input ? yield* keep(companyId, input, checked.value) : named(input)
          } as const
        })
      })
    })
  )
}

type NewCard = Extract<CardInput, { readonly number: unknown }>

const named = (input: Exclude<CardInput, NewCard>): CardInHand =>
  "svcPayId" in input ? { _tag: "Known", svcPayId: input.svcPayId } : { _tag: "KnownAs", myId: input.myId }
