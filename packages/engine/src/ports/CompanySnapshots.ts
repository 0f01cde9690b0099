/**
 * Port: what a company's rows were, kept under a name and put back. For sandboxes: a service has no use for it.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface CompanySnapshot {
  /** Never given out again. */
  readonly id: number
  readonly name: string
  /** How many rows it has. */
  readonly rows: number
  readonly takenAt: MachineTime
}

/**
 * The most snapshots of one company.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostSnapshots = 50

/**
 * The most rows of one snapshot: they are copied while the company's commands wait.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostRows = 250_000

const sentences = {
  CompanyNotFound: "There is no such company",
  SnapshotNotFound: "The company has no snapshot of that name",
  OtherLayout: "The snapshot was taken by another version, whose tables differ: take it again",
  AdvanceUnderWay: "An advance of the company's clock is under way: wait until it has ended",
  TooMany: `A company has at most ${mostSnapshots} snapshots: delete one first`,
  TooLarge: `A snapshot has at most ${mostRows} rows, and the company has more`
} as const

/**
 * Nothing was kept, put back or removed.
 *
 * @category errors
 * @since 0.1.0
 */
export class SnapshotRefused extends Schema.TaggedError<SnapshotRefused>()("SnapshotRefused", {
  reason: Schema.Literals([
    "CompanyNotFound",
    "SnapshotNotFound",
    "OtherLayout",
    "AdvanceUnderWay",
    "TooMany",
    "TooLarge"
  ])
}) {
  override get message() {
    return sentences[this.reason]
  }
}

/**
 * What a snapshot or a restore rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface SnapshotRequest<A, Of, E> {
  readonly at: MachineTime
  /** The schema of the rows, here and beside: a snapshot is put back only where it is the one that it was taken under. */
  readonly layout: string
  /**
   * The same for the store beside this one, with a commit of its own. It runs while the company's commands wait, after
   * all that may fail here and right before the commit.
   */
  readonly beside: (of: Of) => Effect.Effect<A, E>
}

/**
 * What ending a restore rests on that was cut off or failed.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettleRequest<E> extends SnapshotRequest<void, Restored, E> {
  /** Whether the store beside this one has been restored so. */
  readonly isDone: (of: Restored) => Effect.Effect<boolean, E>
}

/**
 * What is put back.
 *
 * @category models
 * @since 0.1.0
 */
export interface Restored {
  /** Undefined where nothing is: the company is as a new one. */
  readonly snapshotId: number | undefined
  /** How often the company has been restored then. */
  readonly restores: number
}

/**
 * How a restore ended that was cut off or failed.
 *
 * - `Done`: the company is as the snapshot has it, or this was ended before
 * - `Undone`: nothing of it is done; its snapshot is gone, or of another version
 * - `DoneBeside`: the store beside has what the snapshot had, which cannot be put back here: the snapshot is of another version. The
 *   company's rows stay, and their number of restores goes on, so that both work on
 *
 * @category models
 * @since 0.1.0
 */
export type EndedRestore = "Done" | "Undone" | "DoneBeside"

/**
 * A company's rows are all that its commands write, and its clock. Its credentials, tokens and snapshots stay as they are.
 *
 * **Details**
 *
 * Numbers go on: what is made after a restore has no number, cursor or name that was given out before. Leases are not put
 * back: what was leased is due. Whatever was begun before a restore (a command, an attempt, due work, a delivery) writes
 * nothing after it: see `CompanyContext.restores`.
 *
 * @category ports
 * @since 0.1.0
 */
export class CompanySnapshots extends Context.Service<
  CompanySnapshots,
  {
    /** Keeps the rows as they are; a snapshot of that name is replaced. `beside` returns how many rows it kept. */
    readonly take: <E>(
      companyId: CompanyId,
      name: string,
      request: SnapshotRequest<number, number, E>
    ) => Effect.Effect<CompanySnapshot & { readonly replaced: number | undefined }, SnapshotRefused | StoreError | E>
    /** By name. */
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<CompanySnapshot>, StoreError>
    /** The one that was removed; none when there was none. */
    readonly remove: (companyId: CompanyId, name: string) => Effect.Effect<Option.Option<CompanySnapshot>, StoreError>
    /**
     * Puts the rows of a snapshot in the place of those that are there; without a name the company has none, as a new one.
     * What a crash cuts off is `unfinished`. One that fails, other than by a refusal, may have been done beside: `settle` it.
     */
    readonly restore: <E>(
      companyId: CompanyId,
      name: string | undefined,
      request: SnapshotRequest<void, Restored, E>
    ) => Effect.Effect<void, SnapshotRefused | StoreError | E>
    /**
     * Companies whose restore was begun and has not ended: `finish` ends it, also where another process is at it.
     */
    readonly unfinished: Effect.Effect<ReadonlyArray<CompanyId>, StoreError>
    readonly finish: <E>(
      companyId: CompanyId,
      request: SettleRequest<E>
    ) => Effect.Effect<EndedRestore, SnapshotRefused | StoreError | E>
    /** Ends a restore that failed, and was asked for `at` that time: it is finished where it is done beside, and else undone. */
    readonly settle: <E>(
      companyId: CompanyId,
      at: MachineTime,
      request: SettleRequest<E>
    ) => Effect.Effect<EndedRestore, SnapshotRefused | StoreError | E>
    /** Hands on the numbers of all snapshots, while none is taken: what is kept beside under another one is left over. */
    readonly sweep: <E>(
      beside: (kept: ReadonlySet<number>) => Effect.Effect<void, E>
    ) => Effect.Effect<void, StoreError | E>
  }
>()("@parcela/engine/ports/CompanySnapshots") {}
