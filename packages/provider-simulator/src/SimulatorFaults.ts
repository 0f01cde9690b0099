/**
 * What goes wrong on the way to the simulated providers and back. Nothing does, unless a plan is provided.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"

/**
 * - `AnswerLost`: the request did its work (money moved, a code was registered), and the caller gets an OutsideError.
 * - `NeverArrived`: nothing was done or recorded, and the caller gets an OutsideError.
 * - `Slow`: the request did its work, and its answer comes after `delay`. A caller who does not wait cannot tell it
 *   from `AnswerLost`.
 *
 * @category models
 * @since 0.1.0
 */
export type Fault = Data.TaggedEnum<{
  AnswerLost: {}
  NeverArrived: {}
  Slow: { readonly delay: Duration.Duration }
}>

/**
 * @category constructors
 * @since 0.1.0
 */
export const Fault = Data.taggedEnum<Fault>()

/**
 * A call to a provider, by the name of the port's method.
 *
 * @category models
 * @since 0.1.0
 */
export type Call = "keep" | "charge" | "lookup" | "register" | "open"

/**
 * @category models
 * @since 0.1.0
 */
export interface SimulatorFaults {
  /** The fault that befalls the call that is being made; none when it goes well. */
  readonly take: (call: Call) => Effect.Effect<Option.Option<Fault>>
}

/**
 * Asked once by every call to a provider. Its default has no faults.
 *
 * @category references
 * @since 0.1.0
 */
export const SimulatorFaults = Context.Reference<SimulatorFaults>("@parcela/provider-simulator/SimulatorFaults", {
  defaultValue: () => ({ take: () => Effect.succeedNone })
})

/**
 * Where a test says what goes wrong next.
 *
 * @category services
 * @since 0.1.0
 */
export class FaultPlan extends Context.Service<
  FaultPlan,
  {
    /** Each fault befalls one call of that name, in this order and after those planned before; later calls go well. */
    readonly next: (call: Call, ...faults: ReadonlyArray<Fault>) => Effect.Effect<void>
  }
>()("@parcela/provider-simulator/FaultPlan") {}

/**
 * An empty plan, and the faults that follow it. Provide it to the providers' layers and keep it for the test:
 * `ProviderSimulator.layer().pipe(Layer.provideMerge(SimulatorFaults.layerPlan))`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPlan: Layer.Layer<FaultPlan> = Layer.effectContext(
  Effect.gen(function* () {
    const plan = yield* Ref.make<ReadonlyArray<{ readonly call: Call; readonly fault: Fault }>>([])
    return Context.make(FaultPlan, {
      next: (call, ...faults) =>
        Ref.update(plan, (planned) => [...planned, ...faults.map((fault) => ({ call, fault }))])
    }).pipe(
      Context.add(SimulatorFaults, {
        take: (call) =>
          Ref.modify(plan, (planned) => {
            const index = planned.findIndex((entry) => entry.call === call)
            return index === -1
              ? [Option.none(), planned]
              : [Option.fromNullishOr(planned[index]?.fault), planned.toSpliced(index, 1)]
          })
      })
    )
  })
)
