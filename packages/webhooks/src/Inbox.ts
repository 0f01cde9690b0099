/**
 * Port: the stored deliveries of a receiver, which a worker leases, marks as done, or repeats; and an implementation in
 * memory.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"

/**
 * The inbox could not be read or written. The operation may have been executed.
 *
 * @category errors
 * @since 0.1.0
 */
export class InboxError extends Schema.TaggedError<InboxError>()("InboxError", { cause: Schema.Defect() }) {
  override get message() {
    return "The inbox could not be used: send the delivery again"
  }
}

/**
 * A delivery as the inbox stores it.
 *
 * @category models
 * @since 0.1.0
 */
export interface InboxEntry {
  /** The name of the sender. Different senders may use the same `webhookId`. */
  readonly sender: string
  readonly webhookId: number
  readonly event: string
  /** The subject, such as `transaction/77`. Deliveries of one subject are handled in the order of their `webhookId`. */
  readonly subject: string | undefined
  readonly receivedAt: MachineTime
  /** The signed body without `confirmHash`, as `mask` of `Delivery` returns it. */
  readonly body: string
  /** `webhook-timestamp`, in seconds since 1970. */
  readonly signedAt: number
  /** The valid signature, `v1,..`. */
  readonly signature: string
}

/**
 * A delivery that a worker has leased.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeasedEntry extends InboxEntry {
  /** The number of leases, including this one. It is the fencing token: an older lease of the delivery has no effect. */
  readonly attempts: number
  /** True if a delivery of the same subject with a higher `webhookId` is done. */
  readonly late: boolean
}

/**
 * The result of storing a delivery. `conflict`: its `webhookId` is stored with another body.
 *
 * @category models
 * @since 0.1.0
 */
export type Acceptance = "new" | "repeated" | "conflict"

/**
 * Maximum delay before the next attempt of a delivery.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxDelay: Duration.Duration = Duration.hours(1)

/**
 * **Details**
 *
 * Times are those of `Clock`. After the clock is set back, a delay or lease can end later than its maximum. Such a delay or
 * lease counts as ended.
 *
 * @category ports
 * @since 0.1.0
 */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Stores a delivery unless this `webhookId` of the sender is stored. A durable inbox returns after the delivery is on
     * disk.
     */
    readonly accept: (entry: InboxEntry) => Effect.Effect<Acceptance, InboxError>
    /**
     * Like `accept`. Also leases a new delivery in the same write if no other delivery of its subject is pending. An inbox
     * with several writers cannot know this and returns `new`.
     */
    readonly acceptLeased: (
      entry: InboxEntry,
      options: { readonly duration: Duration.Duration }
    ) => Effect.Effect<Acceptance | LeasedEntry, InboxError>
    /**
     * Leases at most `limit` due deliveries, longest due first. Of each subject it leases only the pending delivery with the
     * lowest `webhookId`, and none while another delivery of the subject is leased.
     */
    readonly lease: (options: {
      readonly limit: number
      readonly duration: Duration.Duration
    }) => Effect.Effect<ReadonlyArray<LeasedEntry>, InboxError>
    /** Marks deliveries as done. Returns the number of deliveries whose lease was still held. */
    readonly done: (leases: ReadonlyArray<LeasedEntry>) => Effect.Effect<number, InboxError>
    /**
     * Ends a lease and schedules the next attempt after `wait`. Later deliveries of its subject wait too. Returns false,
     * without a change, if the lease was lost.
     */
    readonly retry: (
      lease: LeasedEntry,
      options: { readonly wait: Duration.Duration; readonly problem: string }
    ) => Effect.Effect<boolean, InboxError>
    /** Ends the attempts of a delivery. It stays stored and delays no other. Returns false if the lease was lost. */
    readonly fail: (lease: LeasedEntry, problem: string) => Effect.Effect<boolean, InboxError>
    /**
     * Ends all leases and returns their number. For the start of the only process of an inbox, which then does not wait for
     * the leases of its predecessor.
     */
    readonly release: Effect.Effect<number, InboxError>
  }
>()("@parcela/webhooks/Inbox") {}

interface Row {
  readonly entry: InboxEntry
  state: "waiting" | "done" | "failed"
  dueAt: number
  leasedUntil: number | undefined
  attempts: number
}

type Rows = ReadonlyMap<string, Row>

/**
 * An inbox in memory, for tests and demonstrations. It grows without limit and ends with the process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<Inbox> = Layer.sync(Inbox, () => {
  const rows = new Map<string, Row>()
  return Inbox.of({
    accept: Effect.fn("Inbox.accept")((entry) => Effect.sync(() => accept(rows, entry))),
    acceptLeased: Effect.fn("Inbox.acceptLeased")(function* (entry, { duration }) {
      const now = yield* Clock.currentTimeMillis
      const acceptance = accept(rows, entry)
      const row = rows.get(keyOf(entry))
      const isAlone = !sharing(rows, entry).some((other) => other !== row && other.state === "waiting")
      return acceptance === "new" && isAlone && row !== undefined
        ? leased(rows, row, now + Duration.toMillis(duration))
        : acceptance
    }),
    lease: Effect.fn("Inbox.lease")(function* ({ duration, limit }) {
      const now = yield* Clock.currentTimeMillis
      const millis = Duration.toMillis(duration)
      const due = [...rows.values()].filter((row) => isDue(rows, row, now, millis))
      due.sort((a, b) => a.dueAt - b.dueAt || a.entry.webhookId - b.entry.webhookId)
      return due.slice(0, limit).map((row) => leased(rows, row, now + millis))
    }),
    done: Effect.fn("Inbox.done")((leases) =>
      Effect.sync(() => {
        const ours = leases.flatMap((lease) => held(rows, lease) ?? [])
        for (const row of ours) Object.assign(row, { state: "done", leasedUntil: undefined })
        return ours.length
      })
    ),
    retry: Effect.fn("Inbox.retry")(function* (lease, { wait }) {
      const now = yield* Clock.currentTimeMillis
      const row = held(rows, lease)
      if (row === undefined) return false
      const dueAt = now + Math.ceil(Duration.toMillis(Duration.min(wait, maxDelay)))
      row.leasedUntil = undefined
      row.dueAt = dueAt
      for (const other of sharing(rows, lease))
        if (other.state === "waiting") other.dueAt = Math.max(other.dueAt, dueAt)
      return true
    }),
    fail: Effect.fn("Inbox.fail")((lease) =>
      Effect.sync(() => {
        const row = held(rows, lease)
        if (row === undefined) return false
        Object.assign(row, { state: "failed", leasedUntil: undefined })
        return true
      })
    ),
    release: Effect.sync(() => {
      const ours = [...rows.values()].filter(({ leasedUntil }) => leasedUntil !== undefined)
      for (const row of ours) row.leasedUntil = undefined
      return ours.length
    })
  })
})

const keyOf = ({ sender, webhookId }: InboxEntry): string => `${webhookId} ${sender}`

const accept = (rows: Map<string, Row>, entry: InboxEntry): Acceptance => {
  const found = rows.get(keyOf(entry))
  if (found !== undefined) return found.entry.body === entry.body ? "repeated" : "conflict"
  rows.set(keyOf(entry), { entry, state: "waiting", dueAt: entry.receivedAt, leasedUntil: undefined, attempts: 0 })
  return "new"
}

const sharing = (rows: Rows, { sender, subject }: InboxEntry): ReadonlyArray<Row> =>
  subject === undefined
    ? []
    : [...rows.values()].filter(({ entry }) => entry.sender === sender && entry.subject === subject)

const isLeased = ({ leasedUntil }: Row, now: number, duration: number): boolean =>
  leasedUntil !== undefined && leasedUntil > now && leasedUntil <= now + duration

const isDue = (rows: Rows, row: Row, now: number, duration: number): boolean =>
  row.state === "waiting" &&
  (row.dueAt <= now || row.dueAt > now + Duration.toMillis(maxDelay)) &&
  !isLeased(row, now, duration) &&
  !sharing(rows, row.entry).some(
    (other) =>
      other !== row &&
      other.state === "waiting" &&
      (other.entry.webhookId < row.entry.webhookId || isLeased(other, now, duration))
  )

const leased = (rows: Rows, row: Row, until: number): LeasedEntry => {
  row.attempts += 1
  row.leasedUntil = until
  const late = sharing(rows, row.entry).some(
    ({ entry, state }) => state === "done" && entry.webhookId > row.entry.webhookId
  )
  return { ...row.entry, attempts: row.attempts, late }
}

const held = (rows: Rows, lease: LeasedEntry): Row | undefined => {
  const row = rows.get(keyOf(lease))
  return row?.state === "waiting" && row.attempts === lease.attempts && row.leasedUntil !== undefined ? row : undefined
}
