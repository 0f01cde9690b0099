/**
 * Spans that are created only if a tracer is composed.
 *
 * **Details**
 *
 * Effect creates a span even if no tracer records it: an error object for the source location, a random id and two
 * contexts. `Effect.fn` then costs nine times as much as `Effect.fnUntraced`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

type Body = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
type Pipeable = (effect: Effect.Effect<unknown>, ...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
type Builder = (body: Body, ...pipeables: ReadonlyArray<Pipeable>) => Body

/**
 * Like `Effect.fn` with a name, without a span if no tracer is composed. For the methods of ports and use cases.
 *
 * @category functions
 * @since 0.1.0
 */
export const fn = (name: string): Effect.fn.Traced => {
  // Effect's types have one overload for each number of pipeables. Here and in `withoutSpan` any number is accepted.
  const fn = Effect.fn(name) as unknown as Builder
  const make: Builder = (body, ...pipeables) => {
    const traced = fn(body, ...pipeables)
    const untraced = withoutSpan(body, ...pipeables)
    return (...args) =>
      Effect.withFiber((fiber) =>
        fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? untraced(...args) : traced(...args)
      )
  }
  // The overloads of Effect.fn, as above.
  return make as unknown as Effect.fn.Traced
}

const GeneratorFunction = function* () {}.constructor

// The overloads of Effect.fnUntraced, as above.
const fnUntraced = Effect.fnUntraced as unknown as Builder

/**
 * Like `fnUntraced`, which accepts only generators, for any function. The caller must call the function when the effect
 * runs.
 */
const withoutSpan: Builder = (body, ...pipeables) => {
  if (body instanceof GeneratorFunction) return fnUntraced(body, ...pipeables)
  return pipeables.length === 0
    ? body
    : (...args) => pipeables.reduce((effect, pipeable) => pipeable(effect, ...args), body(...args))
}
