/**
 * The shared steps of creating a manual and a periodic subscription.
 *
 * @since 0.1.0
 */
import type { CardInput } from "@parcela/core/cards/Card"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { Commands, type CommandResult } from "../command/Command.ts"
import { type KeyPart, type KeyUse, readingKey, type KeyReused } from "../command/IdempotencyKey.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { Args } from "../command/Loads.ts"
import type { NewSubscriptionContext } from "../command/LoadedPayments.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { CardVaulting, dryRun, type VaultingFailure, queryOf, type RequestedCard } from "../cards/CardVaulting.ts"
import { noPayer } from "../customers/Payer.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionKey = KeyUse<View<Subscription>> | undefined

/**
 * The failures of creating a subscription of any kind.
 *
 * @category errors
 * @since 0.1.0
 */
export type CreationFailure = RefusalsOf<typeof noPayer> | KeyReused | VaultingFailure

/**
 * A new subscription: its load and its decision.
 *
 * @category models
 * @since 0.1.0
 */
export interface Creation<A, R> {
  readonly companyId: CompanyId
  readonly card: CardInput | undefined
  readonly args: Omit<Args<"newSubscription">, "card">
  readonly key: KeyPart<A> | undefined
  readonly decide: (
    requested: RequestedCard | undefined
  ) => (found: NewSubscriptionContext, at: Times) => Result.Result<Decided<A>, R>
  /** Runs the command that writes the subscription. */
  readonly perform: <E>(begin: Effect.Effect<CommandResult<A>, E>) => Effect.Effect<CommandResult<A>, E | StoreError>
}

/**
 * Creates a subscription. A new card is stored in the vault first, unless the subscription would be refused or its key
 * is known.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeCreating = Effect.gen(function* () {
  const cardVaulting = yield* CardVaulting
  const commands = yield* Commands

  return Effect.fnUntraced(function* <A, R>({ args, card, companyId, decide, key, perform }: Creation<A, R>) {
    const load = { load: "newSubscription", missing: noPayer } as const
    const taken = yield* cardVaulting.take(companyId, card, (expected) =>
      commands.run({
        ...load,
        args: { ...args, card: expected.query },
        key: readingKey(key),
        decide: dryRun(expected, decide)
      })
    )
    if (taken._tag !== "Done") return taken
    const { value: requested } = taken
    return yield* perform(
      commands.run({ ...load, args: { ...args, card: queryOf(requested) }, key, decide: decide(requested) })
    )
  })
})
