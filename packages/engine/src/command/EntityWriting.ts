/**
 * Use cases that write a single entity (customer, card, plan) in one database transaction, with an optional key.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { Decision } from "@parcela/core/values/Decision"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Command, type Commands, type CommandOutcome } from "./Command.ts"
import { type KeyUse, storing, type KeyReused } from "./IdempotencyKey.ts"
import { type RefusalsOf, type Change, type Decided, nothingToWrite } from "./Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { LoadName, EntityContext, NewEntityContext } from "./Loads.ts"
import type { StoreError } from "../ports/StoreError.ts"

/**
 * The effect of a use case that writes one entity. `Decision` is the type of the decision whose refusals it fails with.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteResult<State, Decision> = WriteResultOr<State, RefusalsOf<Decision>>

type WriteResultOr<State, R> = Effect.Effect<CommandOutcome<State>, R | KeyReused | StoreError>

/**
 * Runs a command that stores its key and its response in the same database transaction.
 *
 * @category commands
 * @since 0.1.0
 */
export const writeEntity = <N extends LoadName, State, R, Missing>(
  commands: Commands["Service"],
  command: Omit<Command<N, State, R, Missing>, "key" | "known">,
  key: KeyUse<State> | undefined
): WriteResultOr<State, R | Missing> =>
  Effect.flatMap(commands.run({ ...command, key: storing(key) }), (ran) =>
    ran._tag === "Resumed" ? Effect.die(noResponse) : Effect.succeed(ran)
  )

/**
 * The defect of a key without a response, for commands that always store both together.
 *
 * @category defects
 * @since 0.1.0
 */
export const noResponse = new Error("A key is stored without the response of its command")

/** The change, the key subject and the returned value of an entity. */
interface Entity<State, Loaded, A> {
  readonly change: (next: State, before?: State) => Change
  readonly subject: (state: State) => string
  readonly shown: (state: State, found: Loaded, now: BusinessTime) => A
}

type Deciding<Found, A, R> = (found: Found, times: Times) => Result.Result<Decided<A>, R>

/**
 * Writes a new entity. Writes nothing if an earlier run of the same command already wrote the entity.
 *
 * @category decisions
 * @since 0.1.0
 */
export const creating =
  <State, Loaded, Found extends NewEntityContext<State> & Loaded, A, R>(
    { change, shown, subject }: Entity<State, Loaded, A>,
    decide: (found: Found, now: BusinessTime) => Result.Result<Decision<State>, R>
  ): Deciding<Found, A, R> =>
  (found, { business: now }) => {
    const { written } = found
    return written === undefined
      ? Result.map(decide(found, now), ({ events, next }) => ({
          value: shown(next, found, now),
          guards: [],
          changes: [change(next)],
          events,
          subject: subject(next)
        }))
      : Result.succeed(nothingToWrite(shown(written, found, now), subject(written)))
  }

/**
 * Writes the change of an entity that is an aggregate root. Writes nothing if the decision has no events.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editing =
  <State, Loaded, Found extends Pick<EntityContext<State>, "guard" | "entity"> & Loaded, A, R>(
    { change, shown, subject }: Entity<State, Loaded, A>,
    decide: (found: Found, now: BusinessTime) => Result.Result<Decision<State>, R>
  ): Deciding<Found, A, R> =>
  (found, { business: now }) =>
    Result.map(decide(found, now), ({ events, next }) => ({
      value: shown(next, found, now),
      guards: [found.guard],
      changes: events.length === 0 ? [] : [change(next, found.entity)],
      events,
      subject: subject(next)
    }))
