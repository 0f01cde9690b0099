/**
 * Port: named snapshots of a company's rows, and their restore. Only sandboxes use this port.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
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
  /** Unique; an id is never used again. */
  readonly id: number
  readonly name: string
  /** The number of rows. */
  readonly rows: number
  readonly takenAt: MachineTime
}

/**
 * Maximum number of snapshots of one company.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxSnapshots = 50

/**
 * Maximum number of rows of one snapshot. The company's commands are blocked while the rows are copied.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxRows = 250_000

const sentences = {
  CompanyNotFound: "There is no such company",
  SnapshotNotFound: "The company has no snapshot of that name",
  OtherLayout: "The snapshot was taken by another version, whose tables differ: take it again",
  AdvanceUnderWay: "An advance of the company's clock is under way: wait until it has ended",
  TooMany: `A company has at most ${maxSnapshots} snapshots: delete one first`,
  TooLarge: `A snapshot has at most ${maxRows} rows, and the company has more`
} as const

/**
 * The snapshot operation was refused and changed nothing.
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
 * The parameters of a snapshot or a restore.
 *
 * @category models
 * @since 0.1.0
 */
export interface SnapshotRequest<A, Of, E> {
  readonly at: MachineTime
  /** The database schema. A snapshot can be restored only under the schema under which it was taken. */
  readonly layout: string
  /**
   * Takes or restores the snapshot in the secondary store (the simulated providers), in its own commit.
   *
   * Runs while the company's commands are blocked, directly before the commit of this store.
   */
  readonly secondary: (of: Of) => Effect.Effect<A, E>
}

/**
 * The parameters for completing an interrupted or failed restore.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettleRequest<E> extends SnapshotRequest<void, Restored, E> {
  /** Returns true if the secondary store has completed this restore. */
  readonly isDone: (of: Restored) => Effect.Effect<boolean, E>
}

/**
 * The target of a restore.
 *
 * @category models
 * @since 0.1.0
 */
export interface Restored {
  /** Undefined for a reset: the company becomes empty. */
  readonly snapshotId: number | undefined
  /** The company's number of restores after this restore. */
  readonly restores: number
}

/**
 * The result of completing an interrupted or failed restore.
 *
 * - `Done`: the company has the state of the snapshot, or the restore was completed before
 * - `Undone`: nothing was restored; the snapshot was deleted or has another schema
 * - `SecondaryOnly`: only the secondary store was restored, because the snapshot has another schema. The company's rows
 *   stay unchanged, and their number of restores is incremented, so that both stores work together
 *
 * @category models
 * @since 0.1.0
 */
export type EndedRestore = "Done" | "Undone" | "SecondaryOnly"

/**
 * Snapshots of a company. A snapshot contains the rows that commands write and the company's clock. Credentials, tokens
 * and other snapshots are not included.
 *
 * **Details**
 *
 * Sequences are not reset: after a restore every new number, cursor and name is still unique. Leases are not restored,
 * so leased jobs are due. Commands, attempts, jobs and deliveries that started before a restore can write nothing after
 * the restore: see `CompanyContext.restores`.
 *
 * @category ports
 * @since 0.1.0
 */
export class CompanySnapshots extends Context.Service<
  CompanySnapshots,
  {
    /** Takes a snapshot. Replaces a snapshot with the same name. `secondary` returns its number of rows. */
    readonly take: <E>(
      companyId: CompanyId,
      name: string,
      request: SnapshotRequest<number, number, E>
    ) => Effect.Effect<CompanySnapshot & { readonly replaced: number | undefined }, SnapshotRefused | StoreError | E>
    /** Returns the snapshots ordered by name. */
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<CompanySnapshot>, StoreError>
    /** Deletes a snapshot and returns it, or none if it does not exist. */
    readonly remove: (companyId: CompanyId, name: string) => Effect.Effect<Option.Option<CompanySnapshot>, StoreError>
    /**
     * Replaces the company's rows by those of a snapshot, or deletes them if no name is given. A restore that a crash
     * interrupted is listed by `unfinished`. After any failure except a refusal, call `settle`: the secondary store may
     * be restored already.
     */
    readonly restore: <E>(
      companyId: CompanyId,
      name: string | undefined,
      request: SnapshotRequest<void, Restored, E>
    ) => Effect.Effect<void, SnapshotRefused | StoreError | E>
    /**
     * Returns the companies with an interrupted restore. `finish` completes the restore, also if another process runs
     * it.
     */
    readonly unfinished: Effect.Effect<ReadonlyArray<CompanyId>, StoreError>
    readonly finish: <E>(
      companyId: CompanyId,
      request: SettleRequest<E>
    ) => Effect.Effect<EndedRestore, SnapshotRefused | StoreError | E>
    /**
     * Completes or cancels a failed restore that started `at` this time. The restore is completed if the secondary
     * store has completed it, and cancelled otherwise.
     */
    readonly settle: <E>(
      companyId: CompanyId,
      at: MachineTime,
      request: SettleRequest<E>
    ) => Effect.Effect<EndedRestore, SnapshotRefused | StoreError | E>
    /** Passes the ids of all snapshots while none is being taken. The secondary store may delete all others. */
    readonly sweep: <E>(
      secondary: (existing: ReadonlySet<number>) => Effect.Effect<void, E>
    ) => Effect.Effect<void, StoreError | E>
  }
>()("@parcela/engine/ports/CompanySnapshots") {}
