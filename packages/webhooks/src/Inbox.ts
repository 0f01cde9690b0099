/**
 * Port: the deliveries that a receiver acknowledged, as work that is leased, done, or tried again.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The inbox could not be read or written. Whether what was asked for has happened is unknown.
 *
 * @category errors
 * @since 0.1.0
 */
export class InboxError extends Schema.TaggedError<InboxError>()("InboxError", { cause: Schema.Defect() }) {
  override get message() {
    return "The inbox could not be used: the delivery has to come again"
  }
}

/**
 * A delivery as the inbox stores it.
 *
 * @category models
 * @since 0.1.0
 */
export interface InboxEntry {
  /** Whose `webhookId` it is: two senders number their deliveries independently. */
  readonly sender: string
  readonly webhookId: number
  readonly event: string
  /** What it is about, such as `transaction/77`; deliveries of one subject are handled in the order of their `webhookId`. */
  readonly subject: string | undefined
  readonly receivedAt: MachineTime
  /** The body as it was signed, with `confirmHash` replaced; see `StoredBody`. */
  readonly body: string
  /** `webhook-timestamp`, in seconds since 1970. */
  readonly signedAt: number
  /** The signature that fitted, `v1,..`. */
  readonly signature: string
}

/**
 * A delivery that is this worker's for a time.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeasedEntry extends InboxEntry {
  /** How often it was leased, this time included. It fences: an older lease of the same delivery settles nothing. */
  readonly tries: number
  /** True when a delivery of the same subject with a higher `webhookId` is done already. */
  readonly late: boolean
}

/**
 * What became of a delivery that came: `conflict` when its `webhookId` was taken with another body.
 *
 * @category models
 * @since 0.1.0
 */
export type Acceptance = "new" | "repeated" | "conflict"

/**
 * How long a delivery waits for its next try at most.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestWait: Duration.Duration = Duration.hours(1)

/**
 * **Details**
 *
 * Time is the `Clock`'s. A wait or a lease that ends later than it can have been set for (the clock was set back) counts
 * as over.
 *
 * @category ports
 * @since 0.1.0
 */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Stores a delivery unless there is one of this sender and `webhookId`. Where the inbox is durable, what it calls
     * `new` or `repeated` is on disk.
     */
    readonly accept: (entry: InboxEntry) => Effect.Effect<Acceptance, InboxError>
    /**
     * As `accept`, and what is new is leased with the same write where nothing else of its subject waits. An inbox that cannot
     * say so, as others write to it at the same time, calls it `new`: then `lease` finds it.
     */
    readonly acceptLeased: (
      entry: InboxEntry,
      options: { readonly duration: Duration.Duration }
    ) => Effect.Effect<Acceptance | LeasedEntry, InboxError>
    /**
     * At most `limit` deliveries that are due, those that wait longest first. Of each subject at most one: that with the
     * lowest `webhookId` that is neither done nor failed, and none while another one of it is leased.
     */
    readonly lease: (options: {
      readonly limit: number
      readonly duration: Duration.Duration
    }) => Effect.Effect<ReadonlyArray<LeasedEntry>, InboxError>
    /** Marks deliveries as handled; returns how many of them were still leased under these leases. */
    readonly done: (leases: ReadonlyArray<LeasedEntry>) => Effect.Effect<number, InboxError>
    /**
     * Gives a lease back, to be tried again after `wait`; the later deliveries of its subject wait with it. False when
     * the lease was lost, and then nothing is changed.
     */
    readonly retry: (
      lease: LeasedEntry,
      options: { readonly wait: Duration.Duration; readonly problem: string }
    ) => Effect.Effect<boolean, InboxError>
    /** Ends the tries of a delivery, which stays stored and delays nothing. False when the lease was lost. */
    readonly fail: (lease: LeasedEntry, problem: string) => Effect.Effect<boolean, InboxError>
    /**
     * Ends all leases, and returns how many there were: for a process that starts and is the only one of its inbox, so
     * that it need not wait for those of its predecessor.
     */
    readonly release: Effect.Effect<number, InboxError>
  }
>()("@parcela/webhooks/Inbox") {}
