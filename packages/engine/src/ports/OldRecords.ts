/**
 * Port: the deletion of records whose retention time is over.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RecordKind } from "../Settings.ts"
import type { StoreError } from "./StoreError.ts"

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
