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
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

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

// By the server's own request object, so that an entry lives as long as the request does.
const kept = new WeakMap<object, RequestNotes>()

/**
 * Begins notes about a request, given as the server's own object. Where nobody does, nothing is noted.
 *
 * @category notes
 * @since 0.1.0
 */
export const keep = (source: object, notes: RequestNotes = {}): void => {
  kept.set(source, notes)
}

/**
 * @category notes
 * @since 0.1.0
 */
export const notesOf = (source: object): RequestNotes | undefined => kept.get(source)

const CurrentNotes = Context.Reference<RequestNotes | undefined>("@parcela/http/RequestNotes", {
  defaultValue: () => undefined
})

/**
 * Handles a request with its notes at hand.
 *
 * @category notes
 * @since 0.1.0
 */
export const noting = <A, E, R>(
  { source }: HttpServerRequest.HttpServerRequest,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const notes = kept.get(source)
  return notes === undefined ? effect : Effect.provideService(effect, CurrentNotes, notes)
}

/**
 * Adds to the notes about the request that is being handled.
 *
 * @category notes
 * @since 0.1.0
 */
export const note = (added: RequestNotes): Effect.Effect<void> =>
  Effect.map(CurrentNotes, (notes) => {
    if (notes !== undefined) Object.assign(notes, added)
  })
