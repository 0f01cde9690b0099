/**
 * An inbox that forgets with the process, and grows as long as it lives: for tests and demonstrations.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Acceptance, Inbox, type InboxEntry, type LeasedEntry, longestWait } from "./Inbox.ts"

interface Row {
  readonly entry: InboxEntry
  state: "waiting" | "done" | "failed"
  dueAt: number
  leasedUntil: number | undefined
  tries: number
}

type Rows = ReadonlyMap<string, Row>

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Inbox> = Layer.sync(Inbox, () => {
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
      const dueAt = now + Math.ceil(Duration.toMillis(Duration.min(wait, longestWait)))
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
  rows.set(keyOf(entry), { entry, state: "waiting", dueAt: entry.receivedAt, leasedUntil: undefined, tries: 0 })
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
  (row.dueAt <= now || row.dueAt > now + Duration.toMillis(longestWait)) &&
  !isLeased(row, now, duration) &&
  !sharing(rows, row.entry).some(
    (other) =>
      other !== row &&
      other.state === "waiting" &&
      (other.entry.webhookId < row.entry.webhookId || isLeased(other, now, duration))
  )

const leased = (rows: Rows, row: Row, until: number): LeasedEntry => {
  row.tries += 1
  row.leasedUntil = until
  const late = sharing(rows, row.entry).some(
    ({ entry, state }) => state === "done" && entry.webhookId > row.entry.webhookId
  )
  return { ...row.entry, tries: row.tries, late }
}

const held = (rows: Rows, lease: LeasedEntry): Row | undefined => {
  const row = rows.get(keyOf(lease))
  return row?.state === "waiting" && row.tries === lease.tries && row.leasedUntil !== undefined ? row : undefined
}
