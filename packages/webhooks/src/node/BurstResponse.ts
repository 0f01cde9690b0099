/**
 * Responses that are written together.
 *
 * **Details**
 *
 * A response that is written alone wakes its client, which is done with it and asleep again when the next one is written: a
 * third of what a small request costs. Responses that end in one go of the event loop, as those of a turn or of a shared
 * commit do, are written when it is over, one after another.
 *
 * @since 0.1.0
 */
import { type IncomingMessage, OutgoingMessage, ServerResponse } from "node:http"

/** What is written when the event loop's present callback is over. */
let waiting: Array<() => void> = []

const write = (): void => {
  const ends = waiting
  waiting = []
  for (const end of ends) end()
}

/**
 * A response whose end waits for those of its neighbours: give it to Node as the option `ServerResponse`.
 *
 * @category models
 * @since 0.1.0
 */
export class BurstResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private isEnding = false

  static {
    // Who has ended a response sees that it is ended, and ends it no second time. Node's types have a property there.
    const written = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, "writableEnded")?.get
    Object.defineProperty(this.prototype, "writableEnded", {
      get(this: BurstResponse): boolean {
        return this.isEnding || written?.call(this) === true
      }
    })
  }

  override end(...parameters: ReadonlyArray<never>): this {
    if (this.isEnding) return this
    this.isEnding = true
    if (waiting.length === 0) process.nextTick(write)
    waiting.push(() => {
      // A client that hung up is written to no more.
      if (this.destroyed) return
      try {
        // Node's types have an overload for each number of parameters.
        super.end(...(parameters as []))
      } catch (fault) {
        // What cannot be written, or not under the header that is there already, is a fault of ours: all that can be done.
        this.destroy()
        this.failed(fault)
      }
    })
    return this
  }

  /** Nobody else hears of it: who ended the response has gone on. Overridden by who reports it. */
  protected failed(_fault: unknown): void {}
}
