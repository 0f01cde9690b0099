/** The methods of the derived client as promises and async iterables, and its typed failures as classes of errors. */
import { argumentCount, operationsOf } from "@parcela/transport/client/Operation"
import type { ReadError, WriteError } from "@parcela/transport/client/ClientError"
import { Operations } from "@parcela/transport/Contract"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  type ParcelaError,
  UnknownOutcomeError,
  UnreadableResponseError
} from "../ParcelaError.ts"
import type { ReadOptions } from "../ParcelaOptions.ts"

type Failed = ReadError | WriteError

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, Failed> | Stream.Stream<unknown, Failed>

let argumentCounts: ReadonlyMap<string, number> | undefined

/** The counts are computed at the first call, so that an import of the client stays cheap. */
const argumentCountOf = (name: string): number => {
  argumentCounts ??= new Map(operationsOf(Operations).map((operation) => [operation.name, argumentCount(operation)]))
  // The methods that list all pages have one argument, the query.
  return argumentCounts.get(name) ?? 1
}

/** Returns a method with a promise or an async iterable instead of an effect or a stream. */
export const promised =
  (name: string, method: Method) =>
  (...args: ReadonlyArray<unknown>): Promise<unknown> | AsyncIterable<unknown> => {
    // The type of the operation guarantees its last argument.
    const signal = (args[argumentCountOf(name)] as ReadOptions | undefined)?.signal
    const result = method(...args)
    return Effect.isEffect(result) ? promiseOf(result, signal) : iterableOf(result, signal)
  }

export const promiseOf = async <A>(effect: Effect.Effect<A, Failed>, signal?: AbortSignal): Promise<A> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? undefined : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw rejectionOf(exit.cause, signal)
}

const iterableOf = (
  stream: Stream.Stream<unknown, Failed>,
  signal: AbortSignal | undefined
): AsyncIterable<unknown> => {
  const failing = Stream.mapError(stream, (failure): unknown => errorOf(failure))
  return Stream.toAsyncIterable(signal === undefined ? failing : Stream.interruptWhen(failing, aborted(signal)))
}

const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const abort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** Returns the reason of a rejected promise. A failure takes precedence over an interruption. */
const rejectionOf = (cause: Cause.Cause<ReadError | WriteError>, signal: AbortSignal | undefined): unknown =>
  Option.match(Cause.findErrorOption(cause), {
    onSome: errorOf,
    onNone: () => (signal?.aborted === true ? signal.reason : Cause.squash(cause))
  })

const errorOf = (failure: ReadError | WriteError): ParcelaError => {
  switch (failure._tag) {
    case "InvalidRequest":
      return new InvalidRequestError(failure.message, failure.details)
    case "ApiFailure":
      return new ApiError(failure.message, failure)
    case "Unreachable":
      return new ConnectionError(failure.message)
    case "UnknownOutcome":
      return new UnknownOutcomeError(failure.message, failure)
    case "Unreadable":
      return new UnreadableResponseError(failure.message, { ...failure, body: Redacted.value(failure.body) })
  }
}
