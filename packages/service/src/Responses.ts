/**
 * The responses of the server: they have the id of their request, are written together (`BurstResponse`), and a short one in one
 * piece.
 *
 * @since 0.1.0
 */
import { BurstResponse } from "@parcela/webhooks/node/BurstResponse"
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http"

type Fields = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** Up to here Node copies a body behind its header for less than it takes to hand both to the kernel as they are. */
const longestInOnePiece = 4_096

/** Bytes as the text that Node writes in one piece with the header: each is a sign of Latin-1. */
const inOnePiece = (body: Uint8Array): ReadonlyArray<unknown> => [
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"),
  "latin1"
]

/**
 * @category models
 * @since 0.1.0
 */
export class Response<Request extends IncomingMessage = IncomingMessage> extends BurstResponse<Request> {
  /** Goes out as `x-request-id`. What is set before the head is written would cost a copy of each field of it. */
  requestId: string | undefined

  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    const [text, given] = typeof reason === "string" ? [reason, fields] : [undefined, fields ?? reason]
    if (this.requestId === undefined) return super.writeHead(status, text, given)
    const own = { "x-request-id": this.requestId }
    // Nobody here writes a head as a list.
    return super.writeHead(status, text, given === undefined ? own : { ...(given as OutgoingHttpHeaders), ...own })
  }

  override end(...parameters: ReadonlyArray<never>): this {
    const [body]: ReadonlyArray<unknown> = parameters
    if (parameters.length === 1 && body instanceof Uint8Array && body.length <= longestInOnePiece) {
      // Node's types have an overload for each number of parameters.
      return super.end(...(inOnePiece(body) as ReadonlyArray<never>))
    }
    return super.end(...parameters)
  }
}

/**
 * The class of a server's responses, which reports what could not be written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const responses = (onFault: ((fault: unknown) => void) | undefined): typeof Response => {
  if (onFault === undefined) return Response
  return class<Request extends IncomingMessage = IncomingMessage> extends Response<Request> {
    protected override failed(fault: unknown): void {
      onFault(fault)
    }
  }
}
