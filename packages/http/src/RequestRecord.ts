/**
 * What the server knows of a request in addition to its HTTP message: its whole body, and notes for the log of requests.
 *
 * **Details**
 *
 * Notes contain only what may be written to a log: the company and the client's address, names of unknown keys and of fields with a
 * problem, never a value.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ReceivedRequest } from "./ClientAddress.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface RequestRecord {
  /** Returns the body, where the server has read it before it handed the request on. */
  body?: () => Uint8Array | undefined
  /** The client's address, as in `ClientAddress`. */
  address?: string
  companyId?: CompanyId
  unknownKeys?: ReadonlyArray<string>
  /** The names of known fields that have a problem, as the keys of `error.details`. */
  faultyFields?: ReadonlyArray<string>
}

/** By the server's own request object. */
const records = new WeakMap<object, RequestRecord>()

/**
 * Begins the record of a request, given as the server's own object. Notes about a request without a record are ignored.
 *
 * @category records
 * @since 0.1.0
 */
export const begin = (source: object, record: RequestRecord): void => void records.set(source, record)

/**
 * @category records
 * @since 0.1.0
 */
export const recordOf = (source: object): RequestRecord | undefined => records.get(source)

/**
 * Adds notes to the record of the current request.
 *
 * @category records
 * @since 0.1.0
 */
export const note = (added: RequestRecord): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteIn(context, added)
    return Effect.void
  })

/**
 * Adds notes to the record of the request whose context this is.
 *
 * @category records
 * @since 0.1.0
 */
export const noteIn = (context: Context.Context<never>, added: RequestRecord): void => {
  const received = Context.get(context, ReceivedRequest)
  const record = Option.isSome(received) ? recordOf(received.value.source) : undefined
  if (record !== undefined) Object.assign(record, added)
}
