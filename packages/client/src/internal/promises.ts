/** The methods of the derived client as promises and async iterables. */
import { argumentCount, operationsOf } from "@parcela/transport/client/Operation"
import type { ReadError, WriteError } from "@parcela/transport/client/ClientError"
import { Operations } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { ReadOptions } from "../CallOptions.ts"
import { errorOf, rejectionOf } from "./errors.ts"

type Failed = ReadError | WriteError

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, Failed> | Stream.Stream<unknown, Failed>

let argumentCounts: ReadonlyMap<string, number> | undefined

/** Looked up at the first call, as an import should cost little. */
const argumentCountOf = (name: string): number => {
  argumentCounts ??= new Map(operationsOf(Operations).map((operation) => [operation.name, argumentCount(operation)]))
  return argumentCounts.get(name) ?? 1
}

/** The method of an operation, or of a list's walk, which takes a query. */
export const promised =
  (name: string, method: Method) =>
  (...args: ReadonlyArray<unknown>): Promise<unknown> | AsyncIterable<unknown> => {
    // The last argument is what the type of the operation says.
    const signal = (args[argumentCountOf(name)] as ReadOptions | undefined)?.signal
    const called = method(...args)
    return Effect.isEffect(called) ? promiseOf(called, signal) : iterableOf(called, signal)
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
