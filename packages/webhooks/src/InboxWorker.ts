/**
 * The worker of an inbox: leases due deliveries, runs the handler, and marks each delivery as done or schedules a retry.
 *
 * **Details**
 *
 * A delivery is handled **at least once**. After a crash between the work and the mark, it is handled again with a higher
 * `attempts`. It is handled exactly once if the handler's writes and the mark are one transaction; see `together`.
 *
 * Deliveries of one transaction (or subscription) are handled one at a time, in the order of their `webhookId`. A failing
 * delivery delays only the later ones of its transaction, until its attempts end.
 *
 * @since 0.1.0
 */
import { randomBackoff, repeatForever } from "@parcela/core/attempts/Backoff"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Delivery from "./Delivery.ts"
import { type Acceptance, Inbox, type InboxEntry, type InboxError, type LeasedEntry } from "./Inbox.ts"
import type { ReceivedMessage } from "./ReceivedMessage.ts"

/**
 * The lease ended during the handling, and another worker has the delivery. The work of this handler is rolled back.
 *
 * @category errors
 * @since 0.1.0
 */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { webhookId: Schema.Int }) {
  override get message() {
    return `The lease of delivery ${this.webhookId} ended before it was handled`
  }
}

/**
 * @category options
 * @since 0.1.0
 */
export interface InboxWorkerOptions<E, R> {
  /**
   * Handles a delivery. A failure is retried, a defect is not. A promise stops at the timeout only if it uses the `signal`
   * of `Effect.tryPromise`.
   */
  readonly handle: (delivery: Delivery.Delivery) => Effect.Effect<void, E, R>
  /**
   * Runs the work and its mark in one transaction, such as `sql.withTransaction` of the inbox's `SqlClient`. The handler's
   * writes there then happen exactly once.
   */
  readonly together?: (<A, F, Q>(work: Effect.Effect<A, F, Q>) => Effect.Effect<A, unknown, Q>) | undefined
  /** The naming profile, as in `ReceiverConfig`. */
  readonly naming?: NamingProfile | undefined
  /** Maximum number of deliveries that are handled at once. Default: 8. */
  readonly concurrency?: number | undefined
  /** Timeout of one handling, which is then interrupted and retried. Default: 1 minute. */
  readonly timeout?: Duration.Input | undefined
  /** Maximum number of attempts. Default: 12, which take about half an hour. */
  readonly maximumAttempts?: number | undefined
  /** Time between two polls of the inbox without a wake-up. Default: 1 second. */
  readonly interval?: Duration.Input | undefined
  /** Maximum time that the end of the layer waits for running handlers. Default: 10 seconds. */
  readonly stopTimeout?: Duration.Input | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class InboxWorker extends Context.Service<
  InboxWorker,
  {
    /**
     * Stores a delivery. Starts its handling directly if a slot is free and no other delivery of its subject is pending.
     * `message` is the parsed `entry.body`.
     */
    readonly accept: (entry: InboxEntry, message: ReceivedMessage) => Effect.Effect<Acceptance, InboxError>
    /** Polls the inbox immediately, after another program has stored a delivery. */
    readonly wake: Effect.Effect<void>
    /** Waits until no delivery is due and no handler runs. */
    readonly idle: Effect.Effect<void>
  }
>()("@parcela/webhooks/InboxWorker") {}

/**
 * The layer. The worker runs until the layer is closed.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <E, R>(options: InboxWorkerOptions<E, R>): Layer.Layer<InboxWorker, never, Inbox | R> =>
  Layer.effect(InboxWorker, make(options))

/** Limits of the growing delay between attempts. */
const firstPause = Duration.seconds(1)
const maxPause = Duration.minutes(5)

/** Time from the timeout of a handler to the end of its lease, so that no other worker leases a running delivery. */
const leaseMargin = Duration.seconds(10)

/** The slots of running handlers, with a signal for each change of the slots or the inbox. */
const makeSlots = Effect.fnUntraced(function* (concurrency: number) {
  const signals = yield* Queue.sliding<void>(1)
  /** An eighth of the slots is reserved for deliveries that wait in the inbox. */
  const reservedCount = Math.ceil(concurrency / 8)
  let taken = 0
  const wake = (): void => void Queue.offerUnsafe(signals, undefined)
  return {
    wake,
    changed: Queue.take(signals),
    free: () => concurrency - taken,
    isBusy: () => taken > 0,
    mayTakeDirectly: () => taken < concurrency - reservedCount,
    take: (count: number): void => {
      taken += count
    },
    /** Takes slots for a poll: all free slots, or only the reserved ones. Returns their number. */
    reserve: (isAll: boolean): number => {
      const count = Math.min(concurrency - taken, isAll ? concurrency : reservedCount)
      taken += count
      return count
    },
    /** Returns slots that a poll did not use, without a wake-up. */
    giveBack: (count: number): void => {
      taken -= count
    },
    release: (count: number): void => {
      taken -= count
      wake()
    }
  }
})

type Slots = Effect.Success<ReturnType<typeof makeSlots>>

/** Leases deliveries for reserved slots and returns the unused slots. */
const leaseReserved = (
  inbox: Inbox["Service"],
  slots: Slots,
  options: { readonly limit: number; readonly duration: Duration.Duration }
) =>
  Effect.onExit(options.limit > 0 ? inbox.lease(options) : Effect.succeed([]), (exit) =>
    Effect.sync(() => slots.giveBack(options.limit - (Exit.isSuccess(exit) ? exit.value.length : 0)))
  )

/**
 * Makes the function that marks a delivery as done. One commit marks all deliveries that were handled during the previous
 * commit. A delivery that cannot be marked is handled again when its lease ends.
 */
const makeMarker = Effect.fnUntraced(function* (inbox: Inbox["Service"], slots: Slots) {
  const handled = yield* Queue.unbounded<LeasedEntry>()
  const step = Effect.flatMap(Queue.takeAll(handled), (leases) =>
    Effect.ensuring(
      inbox.done(leases),
      Effect.sync(() => slots.release(leases.length))
    )
  )
  yield* Effect.forkScoped(
    repeatForever(Effect.asVoid(step), {
      onFailure: (cause) => Effect.logError("Deliveries could not be marked and will be handled again", cause),
      pause: () => Effect.void
    })
  )
  return (lease: LeasedEntry): Effect.Effect<void> => Effect.sync(() => void Queue.offerUnsafe(handled, lease))
})

/** The callers that wait until no delivery is due and no handler runs. */
const makeWaiters = () => {
  const waiting = new Set<Deferred.Deferred<void>>()
  return {
    current: (): ReadonlyArray<Deferred.Deferred<void>> => [...waiting],
    end: (ended: ReadonlyArray<Deferred.Deferred<void>>): void => {
      for (const waiter of ended) {
        waiting.delete(waiter)
        Deferred.doneUnsafe(waiter, Effect.void)
      }
    },
    /** Adds a waiter, runs `added`, and waits. */
    wait: Effect.fnUntraced(function* (added: Effect.Effect<void>) {
      const waiter = yield* Deferred.make<void>()
      waiting.add(waiter)
      yield* added
      yield* Deferred.await(waiter)
    })
  }
}

const make = Effect.fnUntraced(function* <E, R>(options: InboxWorkerOptions<E, R>) {
  const inbox = yield* Inbox
  const interval = Duration.fromInputUnsafe(options.interval ?? "1 second")
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "1 minute")
  const slots = yield* makeSlots(options.concurrency ?? 8)
  const waiters = makeWaiters()
  const start = yield* makeStart(inbox, slots, options, timeout)
  const duration = Duration.sum(timeout, leaseMargin)

  /** True if the last poll used all its slots. Otherwise a poll leaves slots for deliveries that are accepted during it. */
  let mayBeMore = true
  const poll = Effect.gen(function* () {
    const waitersBefore = waiters.current()
    const wasIdle = !slots.isBusy()
    const limit = slots.reserve(mayBeMore)
    const leases = yield* leaseReserved(inbox, slots, { limit, duration })
    mayBeMore = leases.length === limit
    yield* Effect.forEach(leases, (lease) => start(lease, Delivery.fromLeased(lease, options.naming)), {
      discard: true
    })
    // A handler that ran during this poll may have made another delivery due.
    if (wasIdle && leases.length === 0) waiters.end(waitersBefore)
    return leases.length
  }).pipe(Effect.uninterruptible)

  const untilChange = Effect.asVoid(Effect.timeoutOption(slots.changed, interval))
  const step = Effect.flatMap(poll, (count) => (count > 0 && slots.free() > 0 ? Effect.void : untilChange))
  const loop = yield* Effect.forkScoped(
    repeatForever(step, {
      onFailure: (cause) => Effect.logError("The inbox could not be read", cause),
      pause: () => untilChange
    })
  )

  // Running handlers finish. Pending deliveries are handled after the next start.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      yield* Fiber.interrupt(loop)
      while (slots.isBusy()) yield* slots.changed
    }).pipe(Effect.timeoutOption(options.stopTimeout ?? "10 seconds"))
  )

  const acceptDirectly = acceptingDirectly(inbox, slots, duration, (lease, message) =>
    start(lease, deliveryOf(lease, message, options))
  )
  const wake = Effect.sync(slots.wake)
  return InboxWorker.of({
    accept: (entry, message) =>
      slots.mayTakeDirectly()
        ? acceptDirectly(entry, message)
        : Effect.tap(inbox.accept(entry), (acceptance) => (acceptance === "new" ? wake : Effect.void)),
    wake,
    idle: waiters.wait(wake)
  })
})

/** Stores a delivery and starts its handling if the inbox leased it. Takes the slot before the inbox is called. */
const acceptingDirectly =
  (
    inbox: Inbox["Service"],
    slots: Slots,
    duration: Duration.Duration,
    begin: (lease: LeasedEntry, message: ReceivedMessage) => Effect.Effect<unknown>
  ) =>
  (entry: InboxEntry, message: ReceivedMessage): Effect.Effect<Acceptance, InboxError> =>
    Effect.suspend(() => {
      slots.take(1)
      return Effect.matchCauseEffect(inbox.acceptLeased(entry, { duration }), {
        onFailure: (cause) => {
          slots.release(1)
          return Effect.failCause(cause)
        },
        onSuccess: (accepted) => {
          if (typeof accepted !== "string") return Effect.as(begin(accepted, message), "new" as const)
          // This also wakes the loop.
          slots.release(1)
          return Effect.succeed(accepted)
        }
      })
    }).pipe(Effect.uninterruptible)

/**
 * Reuses the parsed message if exactly one `confirmHash` is masked. Otherwise the stored body also lacks other values and is
 * parsed again.
 */
const deliveryOf = (
  lease: LeasedEntry,
  message: ReceivedMessage,
  { naming }: { readonly naming?: NamingProfile | undefined }
): LeasedDelivery => {
  const { body, late, receivedAt, sender, attempts } = lease
  return Delivery.isMaskedOnce(body)
    ? Result.succeed({ sender, message, receivedAt, attempts, late })
    : Delivery.fromLeased(lease, naming)
}

type LeasedDelivery = ReturnType<typeof Delivery.fromLeased>

/** Makes the function that starts the handling of a leased delivery. */
const makeStart = Effect.fnUntraced(function* <E, R>(
  inbox: Inbox["Service"],
  slots: Slots,
  options: InboxWorkerOptions<E, R>,
  timeout: Duration.Duration
) {
  const services = yield* Effect.context<R>()
  const markDone = yield* makeMarker(inbox, slots)
  const running = yield* FiberSet.make()
  const handle = handling(inbox, options, timeout)
  const settle = settling(inbox, options.maximumAttempts ?? 12)
  const end = Effect.sync(() => slots.release(1))
  return (lease: LeasedEntry, delivery: LeasedDelivery) =>
    FiberSet.run(
      running,
      // An interruption does not stop the mark.
      Effect.uninterruptibleMask((restore) =>
        Effect.exit(restore(Effect.provideContext(handle(lease, delivery), services))).pipe(
          Effect.flatMap((exit) =>
            Exit.isSuccess(exit) && options.together === undefined
              ? markDone(lease)
              : Effect.ensuring(settle(lease, exit), end)
          )
        )
      )
    )
})

const handling =
  <E, R>(
    inbox: Inbox["Service"],
    { handle, maximumAttempts, together }: InboxWorkerOptions<E, R>,
    timeout: Duration.Duration
  ) =>
  (lease: LeasedEntry, delivery: LeasedDelivery): Effect.Effect<void, unknown, R> => {
    // No attempt was marked: the handler probably stops the process each time.
    if (lease.attempts > (maximumAttempts ?? 12)) return Effect.die(new Error("Its handling never came to an end"))
    if (Result.isFailure(delivery)) return Effect.die(delivery.failure)
    const work = Effect.timeoutOrElse(handle(delivery.success), {
      duration: timeout,
      orElse: () => Effect.fail(new Cause.TimeoutError(`Its handling took longer than ${Duration.format(timeout)}`))
    })
    if (together === undefined) return work
    return together(
      Effect.flatMap(Effect.andThen(work, inbox.done([lease])), (count) =>
        count === 1 ? Effect.void : Effect.fail(new LeaseLost({ webhookId: lease.webhookId }))
      )
    )
  }

/** Schedules the next attempt of a delivery, or ends its attempts. */
const settling =
  (inbox: Inbox["Service"], maximumAttempts: number) =>
  (lease: LeasedEntry, exit: Exit.Exit<void, unknown>): Effect.Effect<void> =>
    Effect.gen(function* () {
      // Interrupted: the process stops, and the next one handles the delivery when the lease ends.
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return
      const problem = problemOf(exit.cause)
      const about = { sender: lease.sender, webhookId: lease.webhookId, attempts: lease.attempts }
      if (Cause.hasDies(exit.cause) || lease.attempts >= maximumAttempts) {
        yield* Effect.logError(`A delivery cannot be handled and is not retried: ${problem}`, about)
        yield* inbox.fail(lease, problem)
        return
      }
      const wait = yield* randomBackoff(lease.attempts - 1, firstPause, maxPause)
      yield* Effect.logWarning(`A delivery was not handled and is retried: ${problem}`, about)
      yield* inbox.retry(lease, { wait, problem })
    }).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.logError("A delivery could not be marked and will be handled again", cause)
      )
    )

const problemOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}
