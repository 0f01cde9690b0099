/**
 * Port: the leases of processes that are gone, over all tables that have leases.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
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
     * For a start. Where one process at a time has the store, no other process can hold a lease: all end now, and work that
     * failed is due at once. Where several processes share the store, living leases stay, and those of a process that is gone
     * run out. Waits are shortened as by `shortenWaits`.
     */
    readonly recover: (now: MachineTime) => Effect.Effect<void, StoreError>
    /** Ends the leases of one process, when it stops. */
    readonly releaseOwned: (owner: string, now: MachineTime) => Effect.Effect<void, StoreError>
    /**
     * For a clock that was set back: leases and waits that began after `now` are counted from now on, so that none
     * takes longer than it was to. No lease ends by it.
     */
    readonly shortenWaits: (now: MachineTime) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/ports/Leases") {}
