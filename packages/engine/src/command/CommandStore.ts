/**
 * Port: runs a unit of load, decide and write. What it writes is committed together or not at all, and no fiber ever
 * stands inside a transaction.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { WriteSet } from "./WriteSet.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { KeyName } from "./LoadedCompany.ts"
import type { LoadName, Args, Loaded } from "./Loads.ts"

/**
 * What a decision comes to: its value, and what is to be written; nothing when that is undefined.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome<A> {
  readonly value: A
  readonly writes: WriteSet | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Unit<N extends LoadName, A, R> {
  readonly load: N
  readonly args: Args<N>
  /** Loaded beside the rest, as `Loaded.key`. */
  readonly key?: KeyName | undefined
  /** Nobody waits for it: where units wait for one another, those of requests need not wait for all of its kind. */
  readonly isBackground?: boolean | undefined
  /**
   * Pure: it may be run several times. A failure leaves everything as it was. It recognizes what it wrote itself, by
   * identifiers that were taken before: a commit whose response was lost is run again.
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
     * Loads, decides and writes. A guard that moved, a row in the way, a deadlock and a commit whose response was lost
     * run the unit again; after five reruns it is `Unavailable`. The same row in the way twice is a fault of ours.
     */
    readonly run: <N extends LoadName, A, R>(unit: Unit<N, A, R>) => Effect.Effect<Outcome<A>, R | StoreError>
  }
>()("@parcela/engine/command/CommandStore") {}
