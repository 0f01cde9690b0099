/**
 * Node's HTTP server with limits on how slowly a request may arrive.
 *
 * @since 0.1.0
 */
import { createServer, type Server } from "node:http"

/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalLimits {
  readonly header: number
  /** Header and body together. */
  readonly request: number
}

// A sender has 5 seconds; whoever needs much longer keeps a connection for nothing.
const defaults: ArrivalLimits = { header: 10_000, request: 30_000 }

/** A server that looks every second for requests that are too slow; Node by itself does so every 30. */
export const makeNodeServer = ({ header, request }: ArrivalLimits = defaults): Server =>
  createServer({
    headersTimeout: header,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1_000, header)
  })
