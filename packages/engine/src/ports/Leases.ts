/**
 * Port: the release of leases in all tables that have leases.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class Leases extends Context.Service<
  Leases,
  {
    /**
     * Recovers the leases at a start. If only one process may use the store, all leases end, and failed jobs are due at
     * once. If processes share the store, the leases of stopped processes expire by themselves. Also shortens delays
     * like `shortenWaits`.
     */
    readonly recover: (now: MachineTime) => Effect.Effect<void, StoreError>
    /** Ends the leases of one process when it stops. */
    readonly releaseOwned: (owner: string, now: MachineTime) => Effect.Effect<void, StoreError>
    /**
     * Corrects leases and delays after the clock was set back: those that started after `now` are restarted at `now`,
     * so that none lasts longer than planned. No lease ends.
     */
    readonly shortenWaits: (now: MachineTime) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/ports/Leases") {}
