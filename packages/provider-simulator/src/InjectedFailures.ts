/**
 * Failures that a plan injects into requests to the simulated providers. The sandbox's interface calls a failure a fault.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { VaultToken } from "@parcela/core/cards/CardDecider"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { BusinessTime } from "@parcela/core/time/Instant"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constant } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/**
 * An injected failure:
 *
 * - `Denied`: the provider denies the request with this code and, for Mastercard, an advice code. A charge or a capture is
 *   `Denied`, other requests are `FinallyDenied`. The vault and the lookup cannot deny and behave as `Unavailable`.
 * - `Unavailable`: the provider responds with a 5xx and does nothing. The caller receives a `ProviderError`.
 * - `RequestLost`: the connection breaks before the request arrives. Nothing is done or recorded. The caller receives a
 *   `ProviderError`.
 * - `ResponseLost`: the provider processes the request (money moves, a code is registered), then the connection breaks. The
 *   caller receives a `ProviderError`.
 * - `Hang`: there is no response until the caller's timeout. With `isDone` the provider processes the request first.
 * - `Slow`: the provider processes the request and responds after `delay`. A caller with a shorter timeout cannot
 *   distinguish it from `ResponseLost`.
 * - `Duplicated`: the request arrives twice, as through a proxy that repeats requests. The caller receives the second
 *   response.
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
 * The cause of a `ProviderError` that was injected.
 *
 * @category errors
 * @since 0.1.0
 */
export class InjectedFailureError extends Data.TaggedError("InjectedFailureError")<{
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
 * The subject of a request. A request to the vault has no attempt and no transaction. Only a charge has a card.
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
export interface InjectedFailures {
  /** Returns the failure of a request at a business time, and counts it. Called once for each request to a provider. */
  readonly take: (call: Call, subject: Subject, at?: BusinessTime) => Effect.Effect<Option.Option<Fault>, SqlError>
}

/**
 * The source of injected failures. The default has none.
 *
 * @category references
 * @since 0.1.0
 */
export const InjectedFailures = Context.Reference<InjectedFailures>("@parcela/provider-simulator/InjectedFailures", {
  defaultValue: () => ({ take: constant(Effect.succeedNone) })
})

/**
 * A failure with the requests that it applies to. An absent field matches every request. A request without a business
 * time, such as a request to the vault, is outside of every interval.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlannedFault {
  readonly call?: Call | undefined
  readonly fault: Fault
  readonly subject: Subject
  /** The number of requests that will still fail, at least 1. Unlimited if absent. */
  readonly times?: number | undefined
  /** Inclusive. */
  readonly from?: BusinessTime | undefined
  /** Exclusive. */
  readonly until?: BusinessTime | undefined
}

/**
 * The planned failures. Tests and users of a sandbox add to the plan.
 *
 * @category services
 * @since 0.1.0
 */
export class FaultPlan extends Context.Service<
  FaultPlan,
  {
    /** Plans failures of the next requests of that name, one request each, for every caller. */
    readonly next: (call: Call, ...faults: ReadonlyArray<Fault>) => Effect.Effect<void, SqlError>
    /** Adds a failure at the end of the plan. */
    readonly add: (planned: PlannedFault) => Effect.Effect<void, SqlError>
    /** Adds the failures that `missing` returns for the current plan. Concurrent calls for one company exclude each other. */
    readonly complete: <A>(
      companyId: CompanyId,
      missing: (planned: ReadonlyArray<PlannedFault>) => {
        readonly value: A
        readonly added: ReadonlyArray<PlannedFault>
      }
    ) => Effect.Effect<A, SqlError>
    /** Returns the plan. The first failure that matches a request is injected. */
    readonly planned: Effect.Effect<ReadonlyArray<PlannedFault>, SqlError>
    /** Removes the failures of one company, or all. */
    readonly clear: (companyId?: CompanyId) => Effect.Effect<void, SqlError>
  }
>()("@parcela/provider-simulator/FaultPlan") {}

/**
 * Returns a planned failure of one request for each of `faults`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const once = (call: Call, faults: ReadonlyArray<Fault>): ReadonlyArray<PlannedFault> =>
  faults.map((fault) => ({ call, fault, subject: {}, times: 1 }))

// Object.keys has the type of any text.
const subjectKeys = Object.keys(Subject.fields) as ReadonlyArray<keyof Subject>

const applies = (
  { call, from, subject, until }: PlannedFault,
  requestCall: Call,
  requestSubject: Subject,
  at?: BusinessTime
): boolean =>
  (call === undefined || call === requestCall) &&
  subjectKeys.every((key) => subject[key] === undefined || subject[key] === requestSubject[key]) &&
  (from === undefined || (at !== undefined && at >= from)) &&
  (until === undefined || (at !== undefined && at < until))

/** Returns the failure of a request, and the plan that remains. */
const takeFrom = (
  plan: ReadonlyArray<PlannedFault>,
  request: Parameters<InjectedFailures["take"]>
): readonly [Option.Option<Fault>, ReadonlyArray<PlannedFault>] => {
  const index = plan.findIndex((planned) => applies(planned, ...request))
  const planned = plan[index]
  if (planned === undefined) return [Option.none(), plan]
  const { times } = planned
  const remaining = times === undefined ? [planned] : times > 1 ? [{ ...planned, times: times - 1 }] : []
  return [Option.some(planned.fault), plan.toSpliced(index, 1, ...remaining)]
}

/**
 * An empty plan in memory, for tests. Requests that match no planned failure use the outer `InjectedFailures`. For a plan
 * that outlives the process see `StoredFailures`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPlan: Layer.Layer<FaultPlan> = Layer.effectContext(
  Effect.gen(function* () {
    const plan = yield* Ref.make<ReadonlyArray<PlannedFault>>([])
    const outer = yield* InjectedFailures
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
      Context.add(InjectedFailures, {
        take: Effect.fnUntraced(function* (...request: Parameters<InjectedFailures["take"]>) {
          const fault = yield* Ref.modify(plan, (planned) => takeFrom(planned, request))
          return Option.isSome(fault) ? fault : yield* outer.take(...request)
        })
      })
    )
  })
)
