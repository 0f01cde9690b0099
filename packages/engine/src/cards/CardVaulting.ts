/**
 * The card that a request names: an existing card of the customer, or a new card. A new card is stored in the operator's
 * vault before any row is written.
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import { type BusinessTime, dateAt } from "@parcela/core/time/Instant"
import { brandOf } from "@parcela/core/cards/CardBrand"
import type { CardInput } from "@parcela/core/cards/Card"
import {
  type VaultedCard,
  decideCard,
  type CardRefusal,
  refusalsOf,
  VaultToken,
  type CardState
} from "@parcela/core/cards/CardDecider"
import { mask } from "@parcela/core/cards/CardNumber"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { SvcPayId, MyId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { CardOperator } from "../ports/CardOperator.ts"
import { type CommandResult, done } from "../command/Command.ts"
import { type RefusalsOf, type Decided, nothingToWrite, type Change } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { CardQuery, FoundCards } from "../command/LoadedPayments.ts"
import { makeProviderTimeout, type ProviderError } from "../ports/ProviderError.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import * as Spans from "../Spans.ts"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"

/**
 * A card before it is assigned to a customer: a reference to an existing card, or a vaulted card with its token.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestedCard =
  | { readonly _tag: "Known"; readonly svcPayId: SvcPayId }
  | { readonly _tag: "KnownAs"; readonly myId: MyId }
  | {
      readonly _tag: "Vaulted"
      readonly card: VaultedCard
      /** The identifier for a new card. */
      readonly newId: SvcPayId
    }

/**
 * Returns the search terms of the cards that the request may mean.
 *
 * @category conversions
 * @since 0.1.0
 */
export const queryOf = (requested: RequestedCard | undefined): CardQuery | undefined => {
  switch (requested?._tag) {
    case undefined:
      return undefined
    case "Known":
      return { svcPayId: requested.svcPayId }
    case "KnownAs":
      return { myId: requested.myId }
    case "Vaulted":
      return { myId: requested.card.myId, vaultToken: requested.card.vaultToken }
  }
}

/**
 * The failures of storing a card in the vault.
 *
 * @category errors
 * @since 0.1.0
 */
export type VaultingFailure = RefusedBy<CardRefusal["_tag"]> | ProviderError | StoreError

/**
 * A card before it is stored in the vault, for a trial run of the decision.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpectedCard {
  /** The search terms, if the request refers to an existing card. */
  readonly query: CardQuery | undefined
  /** Returns the card, or a refusal if the card has expired or its brand is unsupported. */
  readonly at: (now: BusinessTime) => Result.Result<RequestedCard, RefusedBy<CardRefusal["_tag"]>>
}

/**
 * Runs a decision with the expected card to find its refusals. Writes nothing.
 *
 * @category combinators
 * @since 0.1.0
 */
export const dryRun =
  <Found, R>(
    expected: ExpectedCard,
    decide: (requested: RequestedCard) => (found: Found, at: Times) => Result.Result<unknown, R>
  ) =>
  (found: Found, at: Times): Result.Result<Decided<void>, R | RefusedBy<CardRefusal["_tag"]>> =>
    Result.gen(function* () {
      yield* decide(yield* expected.at(at.business))(found, at)
      return nothingToWrite(undefined)
    })

/**
 * @category services
 * @since 0.1.0
 */
export class CardVaulting extends Context.Service<
  CardVaulting,
  {
    /**
     * Resolves the card of a request. A reference to an existing card is returned unchanged. A new card is stored in
     * the vault.
     *
     * A vault cannot delete cards, so `check` runs first. It finds a known key, and it refuses a request that would be
     * refused with this card (see `dryRun`).
     */
    readonly take: <E, R>(
      companyId: CompanyId,
      input: CardInput | undefined,
      check: (expected: ExpectedCard) => Effect.Effect<CommandResult<void>, E, R>
    ) => Effect.Effect<CommandResult<RequestedCard | undefined>, VaultingFailure | E, R>
  }
>()("@parcela/engine/cards/CardVaulting") {
  static readonly layer: Layer.Layer<CardVaulting, never, CardOperator | Sequences> = Layer.effect(
    CardVaulting,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const sequences = yield* Sequences
      const { zone } = yield* Settings
      const inTime = yield* makeProviderTimeout

      const tokenize = Spans.fn("CardVaulting.tokenize")((companyId: CompanyId, input: NewCard) =>
        inTime("card operator", operator.tokenize(companyId, input))
      )

      return CardVaulting.of({
        take: Spans.fn("CardVaulting.take")(function* (companyId, input, check) {
          if (input === undefined) return done(undefined)
          if (!("number" in input)) {
            const value = named(input)
            const checked = yield* check({ query: queryOf(value), at: () => Result.succeed(value) })
            return checked._tag === "Done" ? done(value) : checked
          }
          const newId = yield* sequences.next("card")
          const checked = yield* check({ query: undefined, at: (now) => judged(input, newId, dateAt(now, zone)) })
          if (checked._tag !== "Done") return checked
          const card = vaulted(input, yield* tokenize(companyId, input))
          return done({ _tag: "Vaulted", card, newId } as const)
        })
      })
    })
  )
}

/**
 * A card of a customer, with its changes and events.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnedCard {
  readonly card: CardState
  readonly changes: ReadonlyArray<Change>
  readonly events: ReadonlyArray<BillingEvent>
}

/**
 * Assigns the requested card to a customer. The customer may already have it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const own = (
  requested: RequestedCard,
  found: FoundCards,
  owner: {
    readonly companyId: CompanyId
    readonly customerId: SvcPayId
    readonly now: BusinessTime
  }
): Result.Result<OwnedCard, RefusedBy<"CardNotFound"> | RefusalsOf<typeof decideCard>> => {
  if (requested._tag !== "Vaulted") {
    const card = requested._tag === "Known" ? found.bySvcPayId : found.byMyId
    return card === undefined || card.customerId !== owner.customerId || card.status === "inactive"
      ? Result.fail(refuse({ _tag: "CardNotFound" }))
      : Result.succeed({ card, changes: [], events: [] })
  }
  const { myId, vaultToken } = requested.card
  const known = {
    byMyId: myId === undefined ? undefined : found.byMyId,
    byVaultToken: found.byVaultToken.find(
      (card) => card.customerId === owner.customerId && card.vaultToken === vaultToken
    )
  }
  return Result.map(decideCard(requested.card, known, { ...owner, id: requested.newId }), ({ events, next }) => {
    // A card with the new identifier exists if an earlier run wrote it and the reply to its COMMIT was lost.
    const before = [known.byMyId, known.byVaultToken].find((card) => card?.id === next.id)
    const isChanged = before === undefined || events.length > 0
    return { card: next, changes: isChanged ? [{ table: "cards", before, next }] : [], events }
  })
}

/** A placeholder for the vault token. No stored card has this token. */
const expectedToken = VaultToken.make("expected")

/**
 * Returns the new card with a placeholder token. Without `myId`, because only the token shows whether the `myId`
 * belongs to another card.
 */
const judged = (
  input: NewCard,
  newId: SvcPayId,
  today: LocalDate
): Result.Result<RequestedCard, RefusedBy<CardRefusal["_tag"]>> => {
  const [first, ...others] = refusalsOf({ ...input, number: Redacted.value(input.number) }, today)
  if (first !== undefined) return Result.fail(refuse(first, ...others))
  return Result.succeed({ _tag: "Vaulted", card: { ...vaulted(input, expectedToken), myId: undefined }, newId })
}

const vaulted = ({ expiresAt, myId, number: redacted }: NewCard, vaultToken: VaultToken): VaultedCard => {
  const number = Redacted.value(redacted)
  return { myId, vaultToken, brand: Option.getOrThrow(brandOf(number)), mask: mask(number), expiresAt }
}

type NewCard = Extract<CardInput, { readonly number: unknown }>

const named = (input: Exclude<CardInput, NewCard>): RequestedCard =>
  "svcPayId" in input ? { _tag: "Known", svcPayId: input.svcPayId } : { _tag: "KnownAs", myId: input.myId }
