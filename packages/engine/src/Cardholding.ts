/**
 * The card that a request means: one that the customer has, or a new one that goes to the operator's vault.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { BillingEvent } from "@parcela/core/BillingEvent"
import { brandOf } from "@parcela/core/CardBrand"
import { decideCard, type VaultedCard } from "@parcela/core/CardDecider"
import type { CardInput } from "@parcela/core/CardInput"
import { refusalsOf } from "@parcela/core/CardRefusals"
import { mask } from "@parcela/core/CardNumber"
import type { CardState } from "@parcela/core/CardState"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import { byMyId, bySvcPayId, type MyId, type SvcPayId } from "@parcela/core/Identifier"
import { dateAt } from "@parcela/core/WallClock"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CardOperator } from "./CardOperator.ts"
import { Cards } from "./Cards.ts"
import type { OutsideError } from "./OutsideError.ts"
import { inTime } from "./InTime.ts"
import { Sequences } from "./Sequences.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * A card before it has an owner: known by reference, or kept by the vault under a token.
 *
 * @category models
 * @since 0.1.0
 */
export type CardInHand =
  | { readonly _tag: "Known"; readonly svcPayId: SvcPayId }
  | { readonly _tag: "KnownAs"; readonly myId: MyId }
  | { readonly _tag: "Kept"; readonly card: VaultedCard }

/**
 * @category services
 * @since 0.1.0
 */
export class Cardholding extends Context.Service<
  Cardholding,
  {
    /** Hands a new card to the vault. Asks the outside, so no transaction may be open. */
    readonly take: (companyId: CompanyId, input: CardInput) => Effect.Effect<CardInHand, BillingError | OutsideError>
    /** Gives the card in hand to a customer, who may have it already, in the transaction that is open. */
    readonly own: (
      card: CardInHand,
      owner: { readonly companyId: CompanyId; readonly customerId: SvcPayId; readonly now: EpochMillis }
    ) => Effect.Effect<
      { readonly card: CardState; readonly events: ReadonlyArray<BillingEvent> },
      BillingError | StoreError
    >
  }
>()("@parcela/engine/Cardholding") {
  static readonly layer: Layer.Layer<Cardholding, never, CardOperator | Cards | Sequences> = Layer.effect(
    Cardholding,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const cards = yield* Cards
      const sequences = yield* Sequences
      const { attemptTimeout, zone } = yield* Settings

      const take = Effect.fn("Cardholding.take")(function* (companyId: CompanyId, input: CardInput) {
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
        return { _tag: "Kept", card } as const
      })

      const own = Effect.fn("Cardholding.own")(function* (
        inHand: CardInHand,
        owner: { readonly companyId: CompanyId; readonly customerId: SvcPayId; readonly now: EpochMillis }
      ) {
        if (inHand._tag !== "Kept") {
          const ref = inHand._tag === "Known" ? bySvcPayId(inHand.svcPayId) : byMyId(inHand.myId)
          const found = yield* cards.find(owner.companyId, ref)
          if (Option.isNone(found) || found.value.customerId !== owner.customerId) {
            return yield* refuse({ _tag: "CardNotFound" })
          }
          return { card: found.value, events: [] }
        }
        const { myId, vaultToken } = inHand.card
        const sameMyId = myId === undefined ? Option.none() : yield* cards.find(owner.companyId, byMyId(myId))
        const sameKey = yield* cards.findByVaultToken(owner.companyId, owner.customerId, vaultToken)
        const known = { byMyId: Option.getOrUndefined(sameMyId), byVaultToken: Option.getOrUndefined(sameKey) }
        const id = yield* sequences.next("card")
        const { events, next } = yield* Effect.fromResult(decideCard(inHand.card, known, { ...owner, id }))
        if (next.id === id) yield* cards.insert(next)
        else if (events.length > 0) yield* cards.update(next)
        return { card: next, events }
      })

      return Cardholding.of({ take, own })
    })
  )
}
