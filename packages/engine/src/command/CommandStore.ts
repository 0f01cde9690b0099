/**
 * Port: runs the load, decide and write steps of a command in one database transaction.
 *
 * No caller's fiber holds an open transaction.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { WriteSet } from "./WriteSet.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { KeyName } from "./IdempotencyKey.ts"
import type { LoadName, Args, Found, Loaded } from "./Loads.ts"

/**
 * The value of a decision and its writes. Nothing is written if `writes` is undefined.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome<A> {
  readonly value: A
  readonly writes: WriteSet | undefined
}

/**
 * A command as the store runs it.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoreCommand<N extends LoadName, A, R> {
  readonly load: N
  readonly args: Args<N>
  /**
   * The data that the load would return, known from an earlier command. The store then decides without a load. If the
   * decision writes nothing, or a guard fails because the data changed since, the store loads and decides again.
   */
  readonly loaded?: Found<N> | undefined
  /** The key to read in the same query, returned as `Loaded.key`. */
  readonly key?: KeyName | undefined
  /** Low priority: the store runs requests ahead of background commands. */
  readonly isBackground?: boolean | undefined
  /**
   * Pure function: the store may call it several times. A failure writes nothing.
   *
   * Idempotent: if the reply to a commit is lost, the store runs the command again. The decision then recognizes its
   * own writes by identifiers that were assigned before the first run.
   */
  readonly decide: (loaded: Loaded<N>) => Result.Result<Outcome<A>, R>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class CommandStore extends Context.Service<
  CommandStore,
  {
    /**
     * Loads, decides and writes.
     *
     * Runs again after a version conflict, a unique-key conflict, a deadlock, or a lost reply to a commit. After five
     * reruns the store fails with `Unavailable`. A second conflict with the same row is a defect of this program.
     */
    readonly run: <N extends LoadName, A, R>(
      command: StoreCommand<N, A, R>
    ) => Effect.Effect<Outcome<A>, R | StoreError>
  }
>()("@parcela/engine/command/CommandStore") {}
