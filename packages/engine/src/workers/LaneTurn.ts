/**
 * One turn of an endpoint, under way: what was leased for it is sent, several at once, and recorded.
 *
 * **Details**
 *
 * Functions that call one another, as a fiber for each try took longer than the try. The lane that drives the turn leases, and
 * does what else takes an Effect.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import type * as Effect from "effect/Effect"
import type { Delivery } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { DeliveryTries, SentTry, Target } from "./DeliveryTries.ts"
import type { SendingPlaces } from "./SendingPlaces.ts"

/** How many tries an endpoint gets at once. */
const width = 32

/** How many tries an endpoint gets until its turn is over, so that others come to theirs. */
const longestTurn = 400

/** How many deliveries are leased at once at most: as many as leave within a second, but for this. */
const mostLeased = 256

/** How long a delivery waits for its place, in milliseconds: after that its endpoint is loaded again. */
const longestWait = 5_000

/**
 * Deliveries that were leased together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Leased {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly target: Target
  /** `LaneTurn.endpointChanges` when the target was loaded. */
  readonly endpointChanges: number
  readonly at: MachineTime
  readonly until: MachineTime
}

interface Waiting extends Pick<Leased, "target" | "endpointChanges"> {
  readonly delivery: Delivery
  readonly until: number
}

/**
 * What is to be done after a try, beside recording it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rest {
  readonly webhookId: number
  readonly effect: Effect.Effect<void, StoreError>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface TurnOptions {
  readonly tries: DeliveryTries["Service"]
  readonly places: SendingPlaces
  readonly now: () => number
  /** Called when there is something to do for the lane that drives the turn. */
  readonly wake: () => void
}

/**
 * @category models
 * @since 0.1.0
 */
export class LaneTurn {
  tried = 0
  /** How often the endpoint was changed during the turn. */
  endpointChanges = 0
  /** How many were leased. */
  private begun = 0
  /** Leased and not over: those that wait, are sent, or are not recorded yet. */
  private open = 0
  private waiting: Array<Waiting> = []
  private rests: Array<Rest> = []
  /** What drops each try that has no response yet. */
  private readonly sending = new Set<() => void>()
  /** How many tries were recorded, or given up. */
  private settled = 0
  /** How many had been when the last lease left nothing: another of a transaction may wait behind each that follows. */
  private emptyAt = -1
  /** How many the last lease brought. */
  private leased = 0
  /** When the last lease was, and how many had left then. */
  private lastLease: { readonly at: number; readonly left: number } | undefined
  /** A try found that the endpoint is to be paused, or it is gone. */
  private isStopped = false
  private readonly options: TurnOptions

  constructor(options: TurnOptions) {
    this.options = options
  }

  /** Nothing is under way. */
  get isIdle(): boolean {
    return this.open === 0
  }

  /** The turn was over before all that is due was tried. */
  get isCut(): boolean {
    return this.begun >= longestTurn && !this.isStopped
  }

  get mayLease(): boolean {
    if (this.isStopped || this.begun >= longestTurn || this.emptyAt === this.settled) return false
    // Half of the places at a time: a commit for each single delivery would cost as much as the delivery. Of many the other half is
    // sent while the commit of a lease is made.
    return this.waiting.length + this.sending.size <= Math.max(width, this.leased) / 2
  }

  /** How many tries have ended. */
  private get left(): number {
    return this.tried - this.sending.size
  }

  /** How many are to be leased: as many as left within a second at the pace of the last ones. */
  leaseLimit(isFailing: boolean): number {
    if (isFailing) return Math.max(0, 1 - this.waiting.length - this.sending.size)
    const { at, left } = this.lastLease ?? { at: 0, left: 0 }
    const inOneSecond = ((this.left - left) * 1_000) / Math.max(1, this.options.now() - at)
    const most = Math.max(width, Math.min(mostLeased, Math.floor(inOneSecond)) - this.waiting.length)
    return Math.min(most, longestTurn - this.begun)
  }

  /** A lease begins; what is returned takes whether it left nothing. */
  lease(): (isAll: boolean) => void {
    const { settled } = this
    this.lastLease = { at: this.options.now(), left: this.left }
    return (isAll) => {
      if (isAll) this.emptyAt = settled
    }
  }

  /** Takes what was leased and is wanted. */
  add({ at, deliveries, endpointChanges, target, until }: Leased): void {
    this.leased = deliveries.length
    this.begun += deliveries.length
    this.open += deliveries.length
    const longest = Math.min(until, at + longestWait)
    for (const delivery of deliveries) this.waiting.push({ delivery, target, endpointChanges, until: longest })
  }

  /** Begins what there are places for. */
  readonly begin = (): void => {
    const { places } = this.options
    while (!this.isStopped && this.sending.size < width) {
      const [next] = this.waiting
      if (next === undefined) return
      if (this.isStale(next)) return this.options.wake()
      if (!places.take(this.begin)) return
      this.waiting.shift()
      this.send(next)
    }
  }

  /** Deliveries that are not sent with the target they were leased for: the caller gives their leases back. */
  takeBack(): ReadonlyArray<Delivery> {
    const isOver = (one: Waiting) => this.isStopped || this.isStale(one)
    const back = this.waiting.filter(isOver)
    this.waiting = this.waiting.filter((one) => !isOver(one))
    for (const _ of back) this.end()
    return back.map(({ delivery }) => delivery)
  }

  /** Deliveries that wait were leased for the old URL, events and secrets: they are leased again with the new ones. */
  endpointChanged(): void {
    this.endpointChanges += 1
    this.options.wake()
  }

  /** The endpoint has to be loaded again before this delivery is sent. */
  private isStale({ endpointChanges, until }: Waiting): boolean {
    return endpointChanges !== this.endpointChanges || this.options.now() >= until
  }

  takeRests(): ReadonlyArray<Rest> {
    const { rests } = this
    this.rests = []
    return rests
  }

  /** The endpoint is to be left alone: what waits is given back. */
  stop(): void {
    this.isStopped = true
  }

  /** One that was leased is over. */
  readonly end = (): void => {
    this.open -= 1
    this.settled += 1
    if (this.mayLease || this.open === 0) this.options.wake()
  }

  /** Drops what is under way. */
  close(): void {
    const { places } = this.options
    this.stop()
    places.leave(this.begin)
    for (const drop of this.sending) {
      drop()
      places.give()
    }
    this.sending.clear()
  }

  private send({ delivery, target }: Waiting): void {
    const { places, tries } = this.options
    this.tried += 1
    const drop = tries.send(delivery, target, (tried) => {
      this.sending.delete(drop)
      this.settle(tried)
      places.give()
      this.begin()
      if (this.mayLease) this.options.wake()
    })
    this.sending.add(drop)
  }

  private settle(tried: SentTry): void {
    const isFirst = tried.isStop && !this.isStopped
    if (isFirst) {
      this.stop()
      this.options.wake()
    }
    this.options.tries.settle(tried, isFirst, (rest) => {
      if (rest === undefined) return this.end()
      this.rests.push({ webhookId: tried.delivery.webhookId, effect: rest })
      this.options.wake()
    })
  }
}
