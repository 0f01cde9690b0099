/**
 * Data about a request in addition to its HTTP message: the whole body, and notes for the request log.
 *
 * **Details**
 *
 * Notes contain only data that may be logged: the company, the client's address, and names of unknown or invalid
 * fields. They never contain values of fields.
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
  /** Returns the body if the server has read it before the handler runs. */
  body?: () => Uint8Array | undefined
  /** The client's address, as in `ClientAddress`. */
  address?: string
  companyId?: CompanyId
  unknownKeys?: ReadonlyArray<string>
  /** Names of known fields with an error, as in the keys of `error.details`. */
  faultyFields?: ReadonlyArray<string>
}

/** Records by the server's own request object. */
const records = new WeakMap<object, RequestRecord>()

/**
 * Starts the record of a request, given as the server's own object. Notes about a request without a record are ignored.
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
 * Adds notes to the record of the request of a context.
 *
 * @category records
 * @since 0.1.0
 */
export const noteIn = (context: Context.Context<never>, added: RequestRecord): void => {
  const received = Context.get(context, ReceivedRequest)
  const record = Option.isSome(received) ? recordOf(received.value.source) : undefined
  if (record !== undefined) Object.assign(record, added)
}
