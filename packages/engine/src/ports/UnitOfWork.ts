/**
 * Port: all that a command writes, in one commit or not at all.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  {
    /**
     * Runs `effect` in one transaction: committed when it succeeds, undone when it fails or is interrupted. An
     * acknowledged commit survives a power cut.
     *
     * What it reads does not change under it. Where the store has several writers, a row that another command changed
     * or inserted meanwhile undoes the effect and runs it again, at most five times (then it is `Unavailable`), so that
     * its decision sees that row. So it holds work on the store alone: a provider asked here would be asked again.
     */
    readonly transact: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreError, R>
    /** Runs `effect` once the open transaction is committed; never when it is undone. Short work only. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@parcela/engine/ports/UnitOfWork") {}
