/**
 * The skeleton of every use case: load, decide, write. The `Idempotency-Key` is looked at before the use case decides,
 * and written with what it decided.
 *
 * @since 0.1.0
 */
import { businessTimeOf } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import type { Args, Found, Loaded, LoadName } from "./Loads.ts"
import { CommandStore, type Outcome, type Unit } from "./CommandStore.ts"
import type { CompanyContext, KeyName, KeyRow, StoredResponse } from "./LoadedCompany.ts"
import { isRequested, Origin } from "../ports/Origin.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { LeaseOwner } from "./LeaseOwner.ts"
import { ScheduledWork } from "./ScheduledWork.ts"
import { machineTimeOf, type Times } from "../ports/Times.ts"
import { type KeyWrite, type WriteSet, writeSet } from "./WriteSet.ts"
import type { Decided } from "./Decided.ts"
import * as Schema from "effect/Schema"
import type { BillingError } from "@parcela/core/errors/BillingError"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The key of a request, and the response that a repeat under it gets, without secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyUse<A> {
  readonly name: KeyName
  readonly respond: (value: A) => StoredResponse
}

/**
 * How a unit treats a key.
 *
 * - `Store`: the unit looks at it first; it is stored with what the unit writes, and with the response where `respond`
 *   knows it already
 * - `Complete`: an earlier unit stored it; this one writes the response, unless a later one does
 *
 * @category models
 * @since 0.1.0
 */
export type KeyPart<A> =
  | { readonly _tag: "Store"; readonly name: KeyName; readonly respond: (value: A) => StoredResponse | undefined }
  | { readonly _tag: "Complete"; readonly name: KeyName; readonly respond: (value: A) => StoredResponse | undefined }

/**
 * For a unit that stores the key, with the response where that is known already.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storing = <A>(
  key: Omit<Extract<KeyPart<A>, { readonly _tag: "Store" }>, "_tag"> | undefined
): KeyPart<A> | undefined => (key === undefined ? undefined : { _tag: "Store", name: key.name, respond: key.respond })

/**
 * As {@link storing}, with a response that shows what `shown` makes of the unit's value, where that knows it already.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storingShown = <A, Shown>(
  key: KeyUse<Shown> | undefined,
  shown: (value: A) => Shown | undefined
): KeyPart<A> | undefined =>
  storing(
    key && {
      name: key.name,
      respond: (value: A) => {
        const known = shown(value)
        return known === undefined ? undefined : key.respond(known)
      }
    }
  )

/**
 * For a look before the first unit: finds a known key, and stores none.
 *
 * @category conversions
 * @since 0.1.0
 */
export const looking = (key: Pick<KeyUse<never>, "name"> | undefined): KeyPart<unknown> | undefined =>
  storing(key && { name: key.name, respond: () => undefined })

/**
 * @category models
 * @since 0.1.0
 */
export interface Command<N extends LoadName, A, R, Missing = R> {
  readonly load: N
  readonly args: Args<N>
  /** `CompanyContext.restores` of the command that this one continues: refused once the company was restored since. */
  readonly restores?: number | undefined
  readonly key?: KeyPart<A> | undefined
  /** Pure: see `Unit.decide`. */
  readonly decide: (found: Found<N>, at: Times) => Result.Result<Decided<A>, R>
  /** The refusal when the load's subject is not there. */
  readonly missing: () => Missing
}

/**
 * How a command ended: with its value, or its key was known. `Resumed`: an earlier run under the key wrote (or joined)
 * the subject, and its response was never known.
 *
 * @category models
 * @since 0.1.0
 */
export type Ran<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Replayed"; readonly response: StoredResponse }
  | { readonly _tag: "Resumed"; readonly subject: string }

/**
 * @category services
 * @since 0.1.0
 */
export class Commands extends Context.Service<
  Commands,
  {
    /** Once it has begun, a caller that is interrupted returns after the commit. */
    readonly run: <N extends LoadName, A, R, Missing>(
      command: Command<N, A, R, Missing>
    ) => Effect.Effect<Ran<A>, R | Missing | KeyReused | StoreError>
  }
>()("@parcela/engine/command/Commands") {
  static readonly layer: Layer.Layer<Commands, never, CommandStore | DeliverySignal | LeaseOwner> = Layer.effect(
    Commands,
    Effect.gen(function* () {
      const store = yield* CommandStore
      const signal = yield* DeliverySignal
      const owner = yield* LeaseOwner
      const settings = yield* Settings
      return Commands.of({
        // What follows a commit is done whether or not its caller is still there: a unit may stand in a commit with others.
        run: (command) =>
          Effect.uninterruptible(
            Effect.withFiber((fiber) => {
              const given = {
                machine: machineTimeOf(fiber.getRef(Clock.Clock)),
                origin: fiber.getRef(Origin),
                owner,
                settings
              }
              const scheduled = fiber.getRef(ScheduledWork)
              return Effect.map(store.run(unitOf(command, given)), ({ value, writes }) => {
                if (writes !== undefined) {
                  scheduled?.push(...writes.schedule)
                  notifyDeliveries(signal, writes)
                }
                return value
              })
            })
          )
      })
    })
  )
}

const notifyDeliveries = (
  signal: DeliverySignal["Service"],
  { changes, deliveries, replayed }: Pick<WriteSet, "changes" | "deliveries" | "replayed">
): void => {
  const endpoints = changes.filter((change) => change.table === "webhook_endpoints")
  for (const { next } of endpoints) signal.endpointChanged(next.id)
  if (deliveries.length > 0 || replayed.length > 0 || endpoints.length > 0) signal.notify()
}

/**
 * What a command comes to that looks at no key, and so never meets one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withoutKey = <A, E, R>(ran: Effect.Effect<Ran<A>, E | KeyReused, R>): Effect.Effect<A, E, R> =>
  // A cast: what is left of the errors is E, which the compiler does not see through the exclusion.
  ran.pipe(
    Effect.catchIf((error): error is KeyReused => error instanceof KeyReused, Effect.die),
    Effect.flatMap((ran) => (ran._tag === "Done" ? Effect.succeed(ran.value) : Effect.die(metAKey)))
  ) as Effect.Effect<A, E, R>

const metAKey = new Error("A command without a key met one")

/**
 * The refusal of a load whose subject is the company itself: it fails without one, so nothing is ever missing.
 *
 * @category refusals
 * @since 0.1.0
 */
export const neverMissing = (): never => {
  throw new Error("The company is not there")
}

interface Given {
  readonly machine: MachineTime
  readonly origin: Origin
  readonly owner: string
  readonly settings: SettingsShape
}

const unitOf = <N extends LoadName, A, R, Missing>(
  command: Command<N, A, R, Missing>,
  given: Given
): Unit<N, Ran<A>, R | Missing | KeyReused | StoreError> => ({
  load: command.load,
  args: command.args,
  key: command.key?._tag === "Store" ? command.key.name : undefined,
  isBackground: !isRequested(given.origin),
  decide: ({ found, key }: Loaded<N>) => {
    if (command.key?._tag === "Store" && key !== undefined) return ofKnownKey(command.key.name, key)
    if (found === undefined) return Result.fail(command.missing())
    if ((command.restores ?? found.restores) !== found.restores) return Result.fail(companyRestored())
    const at = { machine: given.machine, business: businessTimeOf(given.machine, found.clock) }
    return Result.map(command.decide(found, at), (decided) => outcomeOf(decided, command.key, found, { ...given, at }))
  }
})

const outcomeOf = <A>(
  decided: Decided<A>,
  key: KeyPart<A> | undefined,
  company: CompanyContext,
  given: Given & { readonly at: Times }
): Outcome<Ran<A>> => ({
  value: done(decided.value),
  writes: writeSet(decided, { ...given, company, key: key === undefined ? undefined : keyWrite(key, decided, given) })
})

const keyWrite = <A>(key: KeyPart<A>, { subject, value }: Decided<A>, { machine: at }: Given): KeyWrite | undefined => {
  if (key._tag === "Complete") {
    const response = key.respond(value)
    return response === undefined ? undefined : { _tag: "Respond", name: key.name, response }
  }
  return subject === undefined
    ? undefined
    : { _tag: "Insert", name: key.name, subject, response: key.respond(value), at }
}

const ofKnownKey = <A>(name: KeyName, row: KeyRow): Result.Result<Outcome<Ran<A>>, KeyReused> => {
  if (row.fingerprint !== name.fingerprint) return Result.fail(new KeyReused())
  return Result.succeed({
    value:
      row.response === undefined
        ? { _tag: "Resumed", subject: row.subject }
        : { _tag: "Replayed", response: row.response },
    writes: undefined
  })
}

/**
 * Its value, or the response that was stored under the key.
 *
 * @category models
 * @since 0.1.0
 */
export type CommandOutcome<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Replayed"; readonly response: StoredResponse }

/**
 * Ended with a value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const done = <A>(value: A): Extract<CommandOutcome<A>, { readonly _tag: "Done" }> => ({ _tag: "Done", value })

/**
 * @category errors
 * @since 0.1.0
 */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {
  override get message() {
    return (
      "This Idempotency-Key was used with another request: use a new key for a new request, " +
      "or repeat the same body under the same key"
    )
  }
}

/**
 * The refusals that a decision has: a refusal itself, a result or an effect that may be refused, or a function that comes to
 * one of them in the end. Of a union, those of each member.
 *
 * **Details**
 *
 * A use case is declared with the decisions that it asks, not with their refusals: a decision that gains a refusal changes
 * the type of every use case that asks it, and one that is asked without being named does not compile.
 * A decision that is generic in what it refuses says nothing here: name what it is given.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalsOf<Decision> = Decision extends (...args: never) => infer Made
  ? RefusalsOf<Made>
  : Decision extends BillingError
    ? Decision
    : Decision extends Result.Result<unknown, infer Refusal> | Effect.Effect<unknown, infer Refusal, unknown>
      ? Extract<Refusal, BillingError>
      : never

/**
 * What a command wrote: an entity, and the attempt that it began or joined, where there was one.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeySubject {
  readonly kind: string
  readonly id: SvcPayId
  readonly attemptId: AttemptId | undefined
}

/**
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = (
  kind: "card" | "charge" | "customer" | "plan" | "subscription" | "transaction",
  id: SvcPayId,
  attemptId?: AttemptId
): string => (attemptId === undefined ? `${kind}:${id}` : `${kind}:${id}:${attemptId}`)

/**
 * Reads a text of `subjectOf`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const readSubject = (subject: string): KeySubject => {
  const [kind = "", id, attemptId] = subject.split(":")
  return {
    kind,
    id: SvcPayId.make(Number(id)),
    attemptId: attemptId === undefined ? undefined : AttemptId.make(attemptId)
  }
}
