/**
 * What goes wrong on the way to the simulated providers and back. Nothing does, unless a plan has it.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { VaultToken } from "@parcela/core/cards/CardState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/**
 * - `Denied`: the provider's no, with this code and, of Mastercard, an advice: a charge or a capture is `Denied`, every other request
 *   `DeniedForGood`. A vault and a look-up have no such response: there it is as `Unavailable`.
 * - `Unavailable`: the provider responds with a 5xx; nothing was done, and the caller gets a ProviderError.
 * - `RequestLost`: the connection was cut before the request was received; nothing was done or recorded, and the caller
 *   gets a ProviderError.
 * - `ResponseLost`: the request did its work (money moved, a code was registered) and the connection was cut then; the
 *   caller gets a ProviderError.
 * - `Hang`: no response ever, until the caller gives up; `isDone` says whether the request did its work before.
 * - `Slow`: the request did its work, and its response comes after `delay`. A caller that does not wait cannot
 *   distinguish it from `ResponseLost`.
 * - `Duplicated`: the request arrives twice and has two responses, as by a proxy that repeats what it sends; the
 *   caller gets the second response.
 *
 * @category models
 * @since 0.1.0
 */
export type Fault = Data.TaggedEnum<{
  Denied: { readonly code: string; readonly message: string; readonly merchantAdviceCode?: string | undefined }
  Unavailable: {}
  RequestLost: {}
  ResponseLost: {}
  Hang: { readonly isDone: boolean }
  Slow: { readonly delay: Duration.Duration }
  Duplicated: {}
}>

/**
 * @category constructors
 * @since 0.1.0
 */
export const Fault = Data.taggedEnum<Fault>()

/**
 * The cause of a `ProviderError` that a planned fault brought about.
 *
 * @category errors
 * @since 0.1.0
 */
export class PlannedFaultError extends Data.TaggedError("PlannedFaultError")<{
  readonly fault: Fault["_tag"]
  readonly message: string
}> {}

/**
 * A request to a provider, by the name of the port's method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Call = Schema.Literals([
  "tokenize",
  "charge",
  "capture",
  "reverse",
  "lookup",
  "register",
  "open",
  "cancel"
])

/**
 * @category models
 * @since 0.1.0
 */
export type Call = typeof Call.Type

/**
 * Whom and what a request is about; the vault is asked without attempt and transaction, and only a charge names a card.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Subject = Schema.Struct({
  companyId: Schema.optionalKey(CompanyId),
  attemptId: Schema.optionalKey(AttemptId),
  transactionId: Schema.optionalKey(SvcPayId),
  card: Schema.optionalKey(VaultToken)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Subject = typeof Subject.Type

/**
 * @category models
 * @since 0.1.0
 */
export interface SimulatorFaults {
  /** The fault that befalls the request that is being made at a business time; none when it goes well. */
  readonly take: (call: Call, subject: Subject, at?: BusinessTime) => Effect.Effect<Option.Option<Fault>, SqlError>
}

/**
 * Asked once by every request to a provider. Its default has no faults.
 *
 * @category references
 * @since 0.1.0
 */
export const SimulatorFaults = Context.Reference<SimulatorFaults>("@parcela/provider-simulator/SimulatorFaults", {
  defaultValue: () => ({ take: () => Effect.succeedNone })
})

/**
 * A fault and the requests that it befalls: those of `call` and of `subject` where they are named, `times` of them, from
 * `from` until before `until` by the business time that a request names. What is left out does not matter; a request
 * that names no time, as one to the vault, is within no span.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlannedFault {
  readonly call?: Call | undefined
  readonly fault: Fault
  readonly subject: Subject
  /** How many requests more it befalls: at least 1. Any number when it is left out. */
  readonly times?: number | undefined
  readonly from?: BusinessTime | undefined
  readonly until?: BusinessTime | undefined
}

/**
 * Where a test, or the user of a sandbox, plans what goes wrong next.
 *
 * @category services
 * @since 0.1.0
 */
export class FaultPlan extends Context.Service<
  FaultPlan,
  {
    /** Each fault befalls one request of that name, of any caller, after those planned before; later ones go well. */
    readonly next: (call: Call, ...faults: ReadonlyArray<Fault>) => Effect.Effect<void, SqlError>
    /** Plans a fault after those planned before. */
    readonly add: (planned: PlannedFault) => Effect.Effect<void, SqlError>
    /**
     * Plans what `missing` finds missing of what is planned; the faults that were planned before are its argument. Nobody else
     * does the same for that company in between.
     */
    readonly complete: <A>(
      companyId: CompanyId,
      missing: (planned: ReadonlyArray<PlannedFault>) => {
        readonly value: A
        readonly added: ReadonlyArray<PlannedFault>
      }
    ) => Effect.Effect<A, SqlError>
    /** What is still to come, in the order in which it is looked through. */
    readonly planned: Effect.Effect<ReadonlyArray<PlannedFault>, SqlError>
    /** Removes what is planned: for one company, or all of it. */
    readonly clear: (companyId?: CompanyId) => Effect.Effect<void, SqlError>
  }
>()("@parcela/provider-simulator/FaultPlan") {}

/**
 * Faults that befall one request each, of any caller.
 *
 * @category constructors
 * @since 0.1.0
 */
export const once = (call: Call, faults: ReadonlyArray<Fault>): ReadonlyArray<PlannedFault> =>
  faults.map((fault) => ({ call, fault, subject: {}, times: 1 }))

// Object.keys has the type of any text.
const subjectKeys = Object.keys(Subject.fields) as ReadonlyArray<keyof Subject>

/** Whether a planned fault befalls a request. */
const befalls = ({ call, from, subject, until }: PlannedFault, asked: Call, of: Subject, at?: BusinessTime): boolean =>
  (call === undefined || call === asked) &&
  subjectKeys.every((key) => subject[key] === undefined || subject[key] === of[key]) &&
  (from === undefined || (at !== undefined && at >= from)) &&
  (until === undefined || (at !== undefined && at < until))

/** The first planned fault that befalls a request, and the plan without that one time. */
const taken = (
  plan: ReadonlyArray<PlannedFault>,
  request: Parameters<SimulatorFaults["take"]>
): readonly [Option.Option<Fault>, ReadonlyArray<PlannedFault>] => {
  const index = plan.findIndex((planned) => befalls(planned, ...request))
  const found = plan[index]
  if (found === undefined) return [Option.none(), plan]
  const { times } = found
  const left = times === undefined ? [found] : times > 1 ? [{ ...found, times: times - 1 }] : []
  return [Option.some(found.fault), plan.toSpliced(index, 1, ...left)]
}

/**
 * An empty plan, and the faults that follow it; where it has none, those of the `SimulatorFaults` around it. It is kept in
 * memory: for tests. Provide it to the providers' layers and keep it for the test:
 * `ProviderSimulator.layer().pipe(Layer.provideMerge(SimulatorFaults.layerPlan))`. `StoredFaults.layer` outlives its process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPlan: Layer.Layer<FaultPlan> = Layer.effectContext(
  Effect.gen(function* () {
    const plan = yield* Ref.make<ReadonlyArray<PlannedFault>>([])
    const around = yield* SimulatorFaults
    return Context.make(FaultPlan, {
      next: (call, ...faults) => Ref.update(plan, (planned) => [...planned, ...once(call, faults)]),
      add: (fault) => Ref.update(plan, (planned) => [...planned, fault]),
      complete: (_companyId, missing) =>
        Ref.modify(plan, (planned) => {
          const { added, value } = missing(planned)
          return [value, [...planned, ...added]]
        }),
      planned: Ref.get(plan),
      clear: (companyId) =>
        Ref.update(plan, (planned) =>
          companyId === undefined ? [] : planned.filter(({ subject }) => subject.companyId !== companyId)
        )
    }).pipe(
      Context.add(SimulatorFaults, {
        take: Effect.fnUntraced(function* (...request: Parameters<SimulatorFaults["take"]>) {
          const found = yield* Ref.modify(plan, (planned) => taken(planned, request))
          return Option.isSome(found) ? found : yield* around.take(...request)
        })
      })
    )
  })
)
