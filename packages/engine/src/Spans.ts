/**
 * Spans of what the engine and its adapters do, where a tracer is composed.
 *
 * **Details**
 *
 * Without one Effect keeps its spans nowhere, and pays for each: an error object for its place in the source, a random
 * identifier, two contexts. `Effect.fn` costs nine times what `Effect.fnUntraced` does.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

type Body = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
type Pipeable = (effect: Effect.Effect<unknown>, ...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
type Builder = (body: Body, ...pipeables: ReadonlyArray<Pipeable>) => Body

/**
 * `Effect.fn` with a name, whose span is made where somebody takes it: for the methods of ports and use cases.
 *
 * @category functions
 * @since 0.1.0
 */
export const fn = (name: string): Effect.fn.Traced => {
  // Types of Effect have an overload for each number of pipeables: here and in `withoutSpan` they are any number.
  const fn = Effect.fn(name) as unknown as Builder
  const make: Builder = (body, ...pipeables) => {
    const traced = fn(body, ...pipeables)
    const untraced = withoutSpan(body, ...pipeables)
    return (...args) =>
      Effect.withFiber((fiber) =>
        fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? untraced(...args) : traced(...args)
      )
  }
  // As above.
  return make as unknown as Effect.fn.Traced
}

const GeneratorFunction = function* () {}.constructor

// As above.
const fnUntraced = Effect.fnUntraced as unknown as Builder

/** `fnUntraced` takes generators alone. Who calls it does so when the effect is run. */
const withoutSpan: Builder = (body, ...pipeables) => {
  if (body instanceof GeneratorFunction) return fnUntraced(body, ...pipeables)
  return pipeables.length === 0
    ? body
    : (...args) => pipeables.reduce((effect, pipeable) => pipeable(effect, ...args), body(...args))
}
