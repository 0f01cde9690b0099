/**
 * Commands: the load, decide, write sequence that every use case follows, also under an `Idempotency-Key`.
 *
 * The store reads the key before the use case decides. It writes the key in the same database transaction as the
 * decision.
 *
 * @since 0.1.0
 */
import { businessTimeOf, type MachineTime } from "@parcela/core/time/Instant"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import type { Args, Found, Loaded, LoadName } from "./Loads.ts"
import { CommandStore, type Outcome, type StoreCommand } from "./CommandStore.ts"
import type { CompanyContext } from "./LoadedCompany.ts"
import { type KeyName, type KeyPart, KeyReused, type KeyRow, type StoredResponse } from "./IdempotencyKey.ts"
import { isRequested, Origin, machineTimeOf, type Times } from "../ports/WriteContext.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { LeaseOwner } from "./LeaseOwner.ts"
import { ScheduledWork } from "./ScheduledWork.ts"
import { type KeyWrite, type WriteSet, writeSet } from "./WriteSet.ts"
import type { Decided } from "./Decided.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Command<N extends LoadName, A, R, Missing = R> {
  readonly load: N
  readonly args: Args<N>
  /**
   * The result of the previous command of the same use case, to decide on without a load. The command fails if the
   * company was restored between the two.
   */
  readonly loaded?: Found<N> | undefined
  readonly key?: KeyPart<A> | undefined
  /** Pure function: see `StoreCommand.decide`. */
  readonly decide: (found: Found<N>, at: Times) => Result.Result<Decided<A>, R>
  /** Returns the refusal when the entity to load does not exist. */
  readonly missing: () => Missing
}

/**
 * The result of a command.
 *
 * - `Done`: the command ran.
 * - `Replayed`: the key is known, with its response.
 * - `Resumed`: the key is known without a response. An earlier run wrote `subject` and ended before it stored the
 *   response.
 *
 * @category models
 * @since 0.1.0
 */
export type CommandResult<A> =
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
    /** Cannot be interrupted after its start: an interrupted caller returns after the commit. */
    readonly run: <N extends LoadName, A, R, Missing>(
      command: Command<N, A, R, Missing>
    ) => Effect.Effect<CommandResult<A>, R | Missing | KeyReused | StoreError>
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
        // Interruption is off because the commit may also contain the writes of other callers.
        run: (command) =>
          Effect.uninterruptible(
            Effect.withFiber((fiber) => {
              const context = {
                machine: machineTimeOf(fiber.getRef(Clock.Clock)),
                origin: fiber.getRef(Origin),
                owner,
                settings
              }
              const scheduled = fiber.getRef(ScheduledWork)
              return Effect.map(store.run(storeCommandOf(command, context)), ({ value, writes }) => {
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
 * Removes the key results from a command that has no key.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withoutKey = <A, E, R>(ran: Effect.Effect<CommandResult<A>, E | KeyReused, R>): Effect.Effect<A, E, R> =>
  // The remaining errors are E, but the compiler cannot infer this from the exclusion.
  ran.pipe(
    Effect.catchIf((error): error is KeyReused => error instanceof KeyReused, Effect.die),
    Effect.flatMap((ran) => (ran._tag === "Done" ? Effect.succeed(ran.value) : Effect.die(unexpectedKey)))
  ) as Effect.Effect<A, E, R>

const unexpectedKey = new Error("A command without a key returned a key result")

/**
 * The `missing` of commands whose load cannot miss its entity, because the company itself is the entity.
 *
 * @category refusals
 * @since 0.1.0
 */
export const neverMissing = (): never => {
  throw new Error("The company is not there")
}

interface RunContext {
  readonly machine: MachineTime
  readonly origin: Origin
  readonly owner: string
  readonly settings: SettingsShape
}

const storeCommandOf = <N extends LoadName, A, R, Missing>(
  command: Command<N, A, R, Missing>,
  context: RunContext
): StoreCommand<N, CommandResult<A>, R | Missing | KeyReused | StoreError> => ({
  load: command.load,
  args: command.args,
  loaded: command.loaded,
  key: command.key?._tag === "Store" ? command.key.name : undefined,
  isBackground: !isRequested(context.origin),
  decide: ({ found, key }: Loaded<N>) => {
    if (command.key?._tag === "Store" && key !== undefined) return ofKnownKey(command.key.name, key)
    if (found === undefined) return Result.fail(command.missing())
    if ((command.loaded ?? found).restores !== found.restores) return Result.fail(companyRestored())
    const at = { machine: context.machine, business: businessTimeOf(context.machine, found.clock) }
    return Result.map(command.decide(found, at), (decided) =>
      outcomeOf(decided, command.key, found, { ...context, at })
    )
  }
})

const outcomeOf = <A>(
  decided: Decided<A>,
  key: KeyPart<A> | undefined,
  company: CompanyContext,
  context: RunContext & { readonly at: Times }
): Outcome<CommandResult<A>> => ({
  value: done(decided.value),
  writes: writeSet(decided, {
    ...context,
    company,
    key: key === undefined ? undefined : keyWrite(key, decided, context)
  })
})

const keyWrite = <A>(
  key: KeyPart<A>,
  { subject, value }: Decided<A>,
  { machine: at }: RunContext
): KeyWrite | undefined => {
  if (key._tag === "Complete") {
    const response = key.respond(value)
    return response === undefined ? undefined : { _tag: "Respond", name: key.name, response }
  }
  return subject === undefined
    ? undefined
    : { _tag: "Insert", name: key.name, subject, response: key.respond(value), at }
}

const ofKnownKey = <A>(name: KeyName, row: KeyRow): Result.Result<Outcome<CommandResult<A>>, KeyReused> => {
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
 * The value of a command, or the response stored under its key.
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
