/**
 * Port: records that are deleted when they are older than a deployment keeps them.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * - `keys`: `Idempotency-Key`s with their responses; one whose response is not known yet stays
 * - `tries`: tries of deliveries; the deliveries stay
 * - `journal`: entries of the journal
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
    /** Deletes at most `limit` records that are from before an instant, oldest first; returns how many. */
    readonly delete: (kind: RecordKind, before: MachineTime, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/ports/OldRecords") {}
