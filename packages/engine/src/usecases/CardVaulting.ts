/**
 * Hands the card of a request to the operator's vault, before anything is written.
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { brandOf } from "@parcela/core/cards/CardBrand"
import type { CardInput } from "@parcela/core/cards/CardInput"
import { mask } from "@parcela/core/cards/CardNumber"
import { type CardRefusal, refusalsOf } from "@parcela/core/cards/CardRefusals"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/WallClock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CardOperator } from "../ports/CardOperator.ts"
import type { Ran } from "../commands/Command.ts"
import { done } from "../commands/CommandOutcome.ts"
import { withProviderTimeout } from "../attempts/ProviderTimeout.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { RequestedCard } from "./RequestedCard.ts"

/**
 * What handing over a card may fail with.
 *
 * @category errors
 * @since 0.1.0
 */
export type VaultingFailure = RefusedBy<CardRefusal["_tag"]> | ProviderError | StoreError

/**
 * @category services
 * @since 0.1.0
 */
export class CardVaulting extends Context.Service<
  CardVaulting,
  {
    /**
     * Resolves the card of a request: a card that the request refers to stays a reference, a new one is handed to the
     * vault. A vault deletes nothing, so `check` runs first: it refuses what is refused whatever the card is, finds a
     * known key, and returns the time that the card is judged at.
     */
    readonly take: <E, R>(
      companyId: CompanyId,
      input: CardInput | undefined,
      check: Effect.Effect<Ran<BusinessTime>, E, R>
    ) => Effect.Effect<Ran<RequestedCard | undefined>, VaultingFailure | E, R>
  }
>()("@parcela/engine/usecases/CardVaulting") {
  static readonly layer: Layer.Layer<CardVaulting, never, CardOperator | Sequences> = Layer.effect(
    CardVaulting,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const sequences = yield* Sequences
      const { attemptTimeout, zone } = yield* Settings

      const keep = Effect.fn("CardVaulting.keep")(function* (companyId: CompanyId, input: NewCard, now: BusinessTime) {
        const number = Redacted.value(input.number)
        const today = dateAt(now, zone)
        const [first, ...others] = refusalsOf({ ...input, number }, today)
        if (first !== undefined) return yield* refuse(first, ...others)
        const vaultToken = yield* operator
          .keep(companyId, input)
          .pipe(withProviderTimeout("card operator", attemptTimeout))
        const { expiresAt, myId } = input
        const card = { myId, vaultToken, brand: Option.getOrThrow(brandOf(number)), mask: mask(number), expiresAt }
        return { _tag: "Kept", card, newId: yield* sequences.next("card") } as const
      })

      return CardVaulting.of({
        take: Effect.fn("CardVaulting.take")(function* (companyId, input, check) {
          if (input === undefined) return done(undefined)
          const checked = yield* check
          if (checked._tag !== "Done") return checked
          return done("number" in input ? yield* keep(companyId, input, checked.value) : named(input))
        })
      })
    })
  )
}

type NewCard = Extract<CardInput, { readonly number: unknown }>

const named = (input: Exclude<CardInput, NewCard>): RequestedCard =>
  "svcPayId" in input ? { _tag: "Known", svcPayId: input.svcPayId } : { _tag: "KnownAs", myId: input.myId }
