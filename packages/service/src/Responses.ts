/**
 * Responses that are written together (`BurstResponse`), and give back the memory of their bodies when they are sent.
 *
 * @since 0.1.0
 */
import { givingBack } from "@parcela/core/json/Picking"
import { BurstResponse, reportingTo } from "@parcela/webhooks/node/BurstResponse"
import type { IncomingMessage } from "node:http"

/**
 * The class of a server's responses, which reports what could not be written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const responses = (onFault: ((fault: unknown) => void) | undefined): typeof BurstResponse => {
  const Response = onFault === undefined ? BurstResponse : reportingTo(onFault)
  return class<Request extends IncomingMessage = IncomingMessage> extends Response<Request> {
    override end(...parameters: ReadonlyArray<never>): this {
      const giveBack = this.writableEnded ? undefined : givingBack(parameters[0])
      // It finishes when the kernel has all of it, or when its connection is gone: nothing reads the body after either.
      if (giveBack !== undefined) this.once("finish", giveBack)
      return super.end(...parameters)
    }
  }
}
