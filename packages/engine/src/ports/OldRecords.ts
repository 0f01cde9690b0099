/**
 * Port: the deletion of records whose retention time is over.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * The kinds of records with a retention time.
 *
 * - `keys`: `Idempotency-Key`s with their responses; a key without a response is not deleted
 * - `tries`: attempts of deliveries; the deliveries themselves are not deleted
 * - `journal`: journal entries
 *
 * @category models
 * @since 0.1.0
 */
export const recordKinds = ["keys", "tries", "journal"] as const

/**
 * @category models
 * @since 0.1.0
 */
export type RecordKind = (typeof recordKinds)[number]

/**
 * @category ports
 * @since 0.1.0
 */
export class OldRecords extends Context.Service<
  OldRecords,
  {
    /** Deletes at most `limit` records from before a time, oldest first. Returns their number. */
    readonly delete: (kind: RecordKind, before: MachineTime, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/ports/OldRecords") {}
