/**
 * What is learned about a request while it is handled, for the log of requests.
 *
 * **Details**
 *
 * Only what may stand in a log: whose request it is and where it comes from, the names of keys that nobody knows and of fields with a fault, never a value.
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
export interface RequestNotes {
  /** Where it comes from, as `ClientAddress` has it. */
  address?: string
  companyId?: CompanyId
  unknownKeys?: ReadonlyArray<string>
  /** The names of known fields that have a fault, as the keys of `error.details`. */
  faultyFields?: ReadonlyArray<string>
}

/** What a server's own request object holds its notes under: a property costs less than an entry of a WeakMap does. */
const kept = Symbol("@parcela/http/RequestNotes")

interface Noted {
  [kept]?: RequestNotes
}

/**
 * Begins notes about a request, given as the server's own object. Where nobody does, nothing is noted.
 *
 * @category notes
 * @since 0.1.0
 */
export const keep = (source: object, notes: RequestNotes = {}): void => {
  // Any object may have the property.
  ;(source as Noted)[kept] = notes
}

/**
 * @category notes
 * @since 0.1.0
 */
export const notesOf = (source: object): RequestNotes | undefined =>
  // As above.
  (source as Noted)[kept]

/**
 * Adds to the notes about the request that is being handled.
 *
 * @category notes
 * @since 0.1.0
 */
export const note = (added: RequestNotes): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteIn(context, added)
    return Effect.void
  })

/**
 * Adds to the notes about the request whose context this is.
 *
 * @category notes
 * @since 0.1.0
 */
export const noteIn = (context: Context.Context<never>, added: RequestNotes): void => {
  const received = Context.get(context, ReceivedRequest)
  const notes = Option.isSome(received) ? notesOf(received.value.source) : undefined
  if (notes !== undefined) Object.assign(notes, added)
}
