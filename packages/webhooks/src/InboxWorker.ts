/**
 * Handles what the inbox holds: leases deliveries that are due, has each handled, and marks it done or to be tried again.
 *
 * **Details**
 *
 * A delivery is handled **at least once**: a process that dies after the work and before the mark leaves it to be handled
 * again, with a higher `tries`. It is handled exactly once where the handler's writes and the mark are one transaction; see
 * `together`.
 *
 * Of one transaction (or subscription) one delivery is handled at a time, in the order of their `webhookId`s. One that fails
 * delays the later ones of the same transaction until its tries end, and no others.
 *
 * @since 0.1.0
 */
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
import * as Deadlines from "./Deadlines.ts"
import { randomBackoff } from "./RandomBackoff.ts"
import type { ReceivedMessage } from "./ReceivedMessage.ts"
import { isMaskedOnce } from "./StoredBody.ts"

/**
 * The lease ended while the delivery was handled, and another worker has it now: nothing of this one counts.
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
  /** A failure is tried again, a defect is not. A promise ends at the timeout only by the `signal` of `Effect.tryPromise`. */
  readonly handle: (delivery: Delivery.Delivery) => Effect.Effect<void, E, R>
  /**
   * Runs the work and its mark as one unit, such as `sql.withTransaction` of the `SqlClient` that the inbox uses: then a
   * handler that writes there does so exactly once.
   */
  readonly together?: (<A, F, Q>(work: Effect.Effect<A, F, Q>) => Effect.Effect<A, unknown, Q>) | undefined
  /** See `ReceiverConfig`. */
  readonly naming?: NamingProfile | undefined
  /** How many deliveries are handled at once; default 8. */
  readonly concurrency?: number | undefined
  /** Time limit of one, which is then interrupted and tried again; default 1 minute. */
  readonly timeout?: Duration.Input | undefined
  /** How often a delivery is tried; default 12, which takes about half an hour. */
  readonly maximumTries?: number | undefined
  /** How often the inbox is looked at when nothing wakes the worker; default 1 second. */
  readonly interval?: Duration.Input | undefined
  /** How long the end of the layer waits for what is being handled; default 10 seconds. */
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
     * Stores a delivery that came, and handles it without looking for it where there is a place and nothing else of its
     * subject waits. `message` is what `entry.body` says.
     */
    readonly accept: (entry: InboxEntry, message: ReceivedMessage) => Effect.Effect<Acceptance, InboxError>
    /** Has the worker look at the inbox now: for after a delivery was stored by somebody else. */
    readonly wake: Effect.Effect<void>
    /** Returns once nothing is due and nothing is being handled. */
    readonly idle: Effect.Effect<void>
  }
>()("@parcela/webhooks/InboxWorker") {}

/**
 * The worker, as long as the layer lives.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <E, R>(options: InboxWorkerOptions<E, R>): Layer.Layer<InboxWorker, never, Inbox | R> =>
  Layer.effect(InboxWorker, make(options))

/** A failed try waits about twice as long as the one before, from this on and up to that. */
const firstPause = Duration.seconds(1)
const longestPause = Duration.minutes(5)

// The lease outlives the work, so that a worker that is still at it is never taken for dead.
const leaseMargin = Duration.seconds(10)

/** How many deliveries are being handled, and a signal for when that, or the inbox, has changed. */
const makeSlots = Effect.fnUntraced(function* (concurrency: number) {
  const signals = yield* Queue.sliding<void>(1)
  /** What waits in the inbox has one of eight places at least. */
  const kept = Math.ceil(concurrency / 8)
  let taken = 0
  const wake = (): void => void Queue.offerUnsafe(signals, undefined)
  return {
    wake,
    changed: Queue.take(signals),
    free: () => concurrency - taken,
    isBusy: () => taken > 0,
    mayTakeDirectly: () => taken < concurrency - kept,
    take: (count: number): void => {
      taken += count
    },
    /** Places for a look at the inbox, all that are free or those alone that are kept for it. */
    reserve: (isAll: boolean): number => {
      const reserved = Math.min(concurrency - taken, isAll ? concurrency : kept)
      taken += reserved
      return reserved
    },
    /** Places that a look found nothing for. What was stored because of them has woken the worker already. */
    reverseAmount: (count: number): void => {
      taken -= count
    },
    release: (count: number): void => {
      taken -= count
      wake()
    }
  }
})

type Slots = Effect.Success<ReturnType<typeof makeSlots>>

/** Leases for places that are reserved. Those that it finds nothing for are given back. */
const leaseReserved = (
  inbox: Inbox["Service"],
  slots: Slots,
  options: { readonly limit: number; readonly duration: Duration.Duration }
) =>
  Effect.onExit(options.limit > 0 ? inbox.lease(options) : Effect.succeed([]), (exit) =>
    Effect.sync(() => slots.reverseAmount(options.limit - (Exit.isSuccess(exit) ? exit.value.length : 0)))
  )

/** Marks as done, many at a time, as each mark is a commit. What cannot be marked is handled again when its lease ends. */
const makeMarker = Effect.fnUntraced(function* (inbox: Inbox["Service"], slots: Slots) {
  const handled = yield* Queue.unbounded<LeasedEntry>()
  yield* Queue.takeAll(handled).pipe(
    Effect.flatMap((leases) =>
      Effect.ensuring(
        reported(inbox.done(leases)),
        Effect.sync(() => slots.release(leases.length))
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )
  return (lease: LeasedEntry): Effect.Effect<void> => Effect.sync(() => void Queue.offerUnsafe(handled, lease))
})

/** Those who wait until nothing is due and nothing is being handled. */
const makeWaiters = () => {
  const waiting = new Set<Deferred.Deferred<void>>()
  return {
    now: (): ReadonlyArray<Deferred.Deferred<void>> => [...waiting],
    end: (ended: ReadonlyArray<Deferred.Deferred<void>>): void => {
      for (const waiter of ended) {
        waiting.delete(waiter)
        Deferred.doneUnsafe(waiter, Effect.void)
      }
    },
    /** Waits; `begun` runs once it is counted among those who wait. */
    wait: Effect.fnUntraced(function* (begun: Effect.Effect<void>) {
      const waiter = yield* Deferred.make<void>()
      waiting.add(waiter)
      yield* begun
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

  /** Whether the last look found as much as it asked for. What is accepted meanwhile has the places that a look does not reserve. */
  let mayBeMore = true
  const lookOnce = Effect.gen(function* () {
    const asking = waiters.now()
    const wasIdle = !slots.isBusy()
    const limit = slots.reserve(mayBeMore)
    const leases = yield* leaseReserved(inbox, slots, { limit, duration })
    mayBeMore = leases.length === limit
    yield* Effect.forEach(leases, (lease) => start(lease, Delivery.fromLeased(lease, options.naming)), {
      discard: true
    })
    // What was being handled when this look began may have made room for more.
    if (wasIdle && leases.length === 0) waiters.end(asking)
    return leases.length
  }).pipe(Effect.uninterruptible)

  const loop = yield* lookOnce.pipe(
    logged("The inbox could not be read", 0),
    Effect.flatMap((count) =>
      count > 0 && slots.free() > 0 ? Effect.void : Effect.timeoutOption(slots.changed, interval)
    ),
    Effect.forever,
    Effect.forkScoped
  )

  // What is being handled is let finish; what waits is there at the next start.
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

/** Stores a delivery and has it handled by `begin` where it is leased with that, in a place that is taken before. */
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
          // Which wakes the loop too.
          slots.release(1)
          return Effect.succeed(accepted)
        }
      })
    }).pipe(Effect.uninterruptible)

/** What was just received need not be read again, unless its `confirmHash` stands where it is not looked for. */
const deliveryOf = (
  lease: LeasedEntry,
  message: ReceivedMessage,
  { naming }: { readonly naming?: NamingProfile | undefined }
): Handled => {
  const { body, late, receivedAt, sender, tries } = lease
  return isMaskedOnce(body)
    ? Result.succeed({ sender, message, receivedAt, tries, late })
    : Delivery.fromLeased(lease, naming)
}

/** What a leased entry holds. */
type Handled = ReturnType<typeof Delivery.fromLeased>

/** Interrupts fibers whose work takes too long. One timer serves all: a race for each took longer than most handlers. */
const makeTimeLimit = Effect.fnUntraced(function* (timeout: Duration.Duration) {
  const expired = new WeakSet<Fiber.Fiber<unknown, unknown>>()
  const deadlines = yield* Deadlines.make<Fiber.Fiber<unknown, unknown>>(timeout, (fiber) => {
    expired.add(fiber)
    fiber.interruptUnsafe()
  })
  return {
    limited: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.withFiber<A, E, R>((fiber) => {
        const begun = deadlines.begin(fiber)
        return Effect.ensuring(
          work,
          Effect.sync(() => begun.end())
        )
      }),
    /** How it ended: an interrupt of its time limit is a failure of its own. */
    ended: <A, E>(exit: Exit.Exit<A, E>) =>
      Effect.withFiber<Exit.Exit<A, E | Cause.TimeoutError>>((fiber) =>
        Effect.succeed(
          Exit.isFailure(exit) && expired.has(fiber)
            ? Exit.fail(new Cause.TimeoutError(`Its handling took longer than ${Duration.format(timeout)}`))
            : exit
        )
      )
  }
})

type TimeLimit = Effect.Success<ReturnType<typeof makeTimeLimit>>

/** Starts the handling of a leased delivery, which ends with its mark. */
const makeStart = Effect.fnUntraced(function* <E, R>(
  inbox: Inbox["Service"],
  slots: Slots,
  options: InboxWorkerOptions<E, R>,
  timeout: Duration.Duration
) {
  const services = yield* Effect.context<R>()
  const markDone = yield* makeMarker(inbox, slots)
  const running = yield* FiberSet.make()
  const timeLimit = yield* makeTimeLimit(timeout)
  const handle = handling(inbox, options, timeLimit)
  const settle = settling(inbox, options.maximumTries ?? 12)
  const end = Effect.sync(() => slots.release(1))
  return (lease: LeasedEntry, delivery: Handled) =>
    FiberSet.run(
      running,
      // Its mark is not interrupted with it.
      Effect.uninterruptibleMask((restore) =>
        Effect.exit(restore(Effect.provideContext(handle(lease, delivery), services))).pipe(
          Effect.flatMap(timeLimit.ended),
          Effect.flatMap((exit) =>
            Exit.isSuccess(exit) && options.together === undefined
              ? markDone(lease)
              : Effect.ensuring(reported(settle(lease, exit)), end)
          )
        )
      )
    )
})

const handling =
  <E, R>(
    inbox: Inbox["Service"],
    { handle, maximumTries, together }: InboxWorkerOptions<E, R>,
    { limited }: TimeLimit
  ) =>
  (lease: LeasedEntry, delivery: Handled): Effect.Effect<void, unknown, R> => {
    // Leased again and again without an end: its handler takes the process down each time.
    if (lease.tries > (maximumTries ?? 12)) return Effect.die(new Error("Its handling never came to an end"))
    if (Result.isFailure(delivery)) return Effect.die(delivery.failure)
    const work = limited(handle(delivery.success))
    if (together === undefined) return work
    return together(
      Effect.flatMap(Effect.andThen(work, inbox.done([lease])), (count) =>
        count === 1 ? Effect.void : Effect.fail(new LeaseLost({ webhookId: lease.webhookId }))
      )
    )
  }

const settling =
  (inbox: Inbox["Service"], maximumTries: number) =>
  (lease: LeasedEntry, exit: Exit.Exit<void, unknown>): Effect.Effect<void, InboxError> =>
    Effect.gen(function* () {
      // Interrupted: the process ends, and the next one takes the lease over.
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return
      const problem = problemOf(exit.cause)
      const about = { sender: lease.sender, webhookId: lease.webhookId, tries: lease.tries }
      if (Cause.hasDies(exit.cause) || lease.tries >= maximumTries) {
        yield* Effect.logError(`A delivery cannot be handled and is not tried again: ${problem}`, about)
        yield* inbox.fail(lease, problem)
        return
      }
      const wait = yield* randomBackoff(lease.tries - 1, firstPause, longestPause)
      yield* Effect.logWarning(`A delivery was not handled and is tried again: ${problem}`, about)
      yield* inbox.retry(lease, { wait, problem })
    })

const problemOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

const reported = <A>(effect: Effect.Effect<A, InboxError>): Effect.Effect<void> =>
  Effect.asVoid(logged("A delivery could not be marked, and will be handled again", undefined)(effect))

// Defects too: a worker that ends without a word would leave all that comes unhandled.
const logged =
  <B>(message: string, otherwise: B) =>
  <A>(effect: Effect.Effect<A, InboxError>): Effect.Effect<A | B> =>
    Effect.catchCause(effect, (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.as(Effect.logError(message, cause), otherwise)
    )
