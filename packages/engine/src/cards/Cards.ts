/**
 * Use cases: list, add and remove the cards of customers.
 *
 * @since 0.1.0
 */
import { markBackup, removeCard, type CardState } from "@parcela/core/cards/CardDecider"
import type { AddCard } from "@parcela/core/cards/Card"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type CommandOutcome, Commands } from "../command/Command.ts"
import { type KeyUse, readingKey, type KeyReused, subjectOf } from "../command/IdempotencyKey.ts"
import type { RefusalsOf, Change, Decided } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import { Cards, type ListedCard } from "../ports/Cards.ts"
import type { CardContext, NewCardContext } from "../command/Loads.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { CardVaulting, dryRun, type VaultingFailure, own, queryOf, type RequestedCard } from "./CardVaulting.ts"
import { editing, noResponse, writeEntity, type WriteResult } from "../command/EntityWriting.ts"
import { noCard, noCustomer } from "../command/Missing.ts"
import * as Spans from "../Spans.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class CardManagement extends Context.Service<
  CardManagement,
  {
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<CardList>,
      page: PageOf<CardList>
    ) => Effect.Effect<ReadonlyArray<ListedCard>, StoreError>
    /** Adds a card to the customer. Returns the existing card if the customer already has it. */
    readonly add: (
      companyId: CompanyId,
      customer: EntityRef,
      command: AddCard,
      key?: KeyUse<ListedCard>
    ) => Effect.Effect<
      CommandOutcome<ListedCard>,
      RefusalsOf<typeof adding | typeof noCustomer> | KeyReused | VaultingFailure
    >
    readonly remove: (
      companyId: CompanyId,
      ref: EntityRef,
      key?: KeyUse<CardState>
    ) => WriteResult<CardState, typeof removeCard | typeof noCard>
  }
>()("@parcela/engine/cards/CardManagement") {
  static readonly layer: Layer.Layer<CardManagement, never, Cards | CardVaulting | Commands> = Layer.effect(
    CardManagement,
    Effect.gen(function* () {
      const cards = yield* Cards
      const commands = yield* Commands
      const vaulting = yield* CardVaulting
      return CardManagement.of({
        list: cards.list,
        add: Spans.fn("CardManagement.add")(function* (companyId, ref, { isBackup, ...data }, key) {
          const missing = () => noCustomer(ref)
          const taken = yield* vaulting.take(companyId, data, (expected) =>
            commands.run({
              load: "newCard",
              args: { companyId, ref },
              key: readingKey(key),
              decide: dryRun(expected, (requested) => adding(requested, isBackup)),
              missing
            })
          )
          if (taken._tag === "Replayed") return taken
          // The command contains a card, and its key is stored together with the response.
          if (taken._tag === "Resumed" || taken.value === undefined) return yield* Effect.die(noResponse)
          const args = { companyId, ref, card: queryOf(taken.value) }
          const decide = adding(taken.value, isBackup)
          return yield* writeEntity(commands, { load: "newCard", args, decide, missing }, key)
        }),
        remove: Spans.fn("CardManagement.remove")(function* (companyId, ref, key) {
          const decide = editing(entity, ({ entity: card, isInUse }: CardContext, now) =>
            removeCard(card, { isInUse, now })
          )
          const missing = () => noCard(ref)
          return yield* writeEntity(commands, { load: "card", args: { companyId, ref }, decide, missing }, key)
        })
      })
    })
  )
}

const entity = {
  change: (next: CardState, before?: CardState) => ({ table: "cards", before, next }) as const,
  subject: ({ id }: CardState) => subjectOf("card", id),
  shown: (card: CardState) => card
}

/** Adds a vaulted card to the customer, and makes it the backup card if requested. */
const adding =
  (requested: RequestedCard, isBackup: boolean | undefined) =>
  (
    { backups, cards, companyId, customer, guard }: NewCardContext,
    { business: now }: Times
  ): Result.Result<Decided<ListedCard>, RefusalsOf<typeof own>> =>
    Result.map(own(requested, cards, { companyId, customerId: customer.id, now }), (owned) => {
      const [marked, ...others] = markBackup(owned.card, isBackup, { backups, now })
      const card = marked?.next ?? owned.card
      const change: ReadonlyArray<Change> =
        owned.changes.length === 0 && card === owned.card
          ? []
          : [{ table: "cards", before: beforeOf(owned.changes, owned.card), next: card }]
      return {
        value: { card, customer },
        guards: [guard],
        changes: [
          ...change,
          ...others.map(({ next }) =>
            entity.change(
              next,
              backups.find(({ id }) => id === next.id)
            )
          )
        ],
        events: [...owned.events, ...(marked?.events ?? []), ...others.flatMap(({ events }) => events)],
        subject: entity.subject(card)
      }
    })

/** Returns the card before the change. Without another change the card itself is the previous state. */
const beforeOf = ([change]: ReadonlyArray<Change>, card: CardState): CardState | undefined =>
  change === undefined ? card : change.table === "cards" ? change.before : undefined
