/**
 * A state as JSON in the column `data`, with the version of its shape in `state_version`.
 *
 * **Details**
 *
 * When a released shape changes such that old rows no longer fit the schema, or such that an earlier program would drop
 * what is new, a step is added to `upcasts` (in the second case one that changes nothing). Nothing is rewritten, and rows
 * of every released version stay readable. A row of a later version was written by a newer program and is not read: what
 * this one does not know, it could drop.
 *
 * A state of the current version is what `encode` checked and wrote: its JSON is taken as it is, and not checked again on
 * every reading. Tests check every one (`CheckedRows`). States of earlier versions are read by the schema.
 *
 * @since 0.1.0
 */
import { Corrupt, StoreError, WrittenByNewer } from "@parcela/engine/ports/StoreError"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { areRowsChecked } from "../CheckedRows.ts"
import * as JsonText from "./JsonText.ts"
import { toStoreError } from "./StoreErrors.ts"

/**
 * Turns a state of one version, as it stands in JSON, into the next version.
 *
 * @category models
 * @since 0.1.0
 */
export type Upcast = (older: unknown) => unknown

/**
 * A state with the version of its row.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredState<S> {
  readonly version: number
  readonly state: S
}

/**
 * @category models
 * @since 0.1.0
 */
export interface VersionedState<S> {
  /** The version that is written. */
  readonly current: number
  /** Throws when the state is not what its schema says: it was made by our own code. */
  readonly encode: (state: S) => string
  /** Reads `data`, `version` and `state_version` of a row. */
  readonly decode: (row: StateColumns) => Result.Result<StoredState<S>, StoreError>
}

/**
 * The columns that `decode` reads.
 *
 * @category columns
 * @since 0.1.0
 */
export const stateColumns = "data, version, state_version"

/**
 * The columns of a state, as a driver has them: PostgreSQL's integers are text.
 *
 * @category models
 * @since 0.1.0
 */
export interface StateColumns {
  readonly data?: unknown
  readonly version?: unknown
  readonly state_version?: unknown
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = <S, Encoded>(options: {
  readonly table: string
  readonly schema: Schema.ConstraintCodec<S, Encoded>
  /** The first turns version 1 into version 2, and so on; none until a released shape changes. */
  readonly upcasts?: ReadonlyArray<Upcast> | undefined
}): VersionedState<S> => {
  const { schema, table, upcasts = [] } = options
  const current = upcasts.length + 1
  const decodeState = Schema.decodeUnknownResult(schema)
  const toError = toStoreError(table)
  const corrupt = (what: string) =>
    new StoreError({ reason: new Corrupt({ table, cause: new Error(`A state is ${what}`) }) })

  const checked = (json: unknown): Result.Result<S, StoreError> => {
    const state = decodeState(json)
    if (Result.isSuccess(state) && !Equal.equals(state.success, json)) {
      throw new Error(`A state in ${table} is not what its JSON is: it cannot be taken as it stands`)
    }
    return Result.mapError(state, toError)
  }

  const stateOf = (json: unknown, version: number): Result.Result<S, StoreError> => {
    if (version < current) {
      const upcast = upcasts.slice(version - 1).reduce((state, upcast) => upcast(state), json)
      return Result.mapError(decodeState(upcast), toError)
    }
    if (areRowsChecked()) return checked(json)
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? // What `encode` wrote.
        Result.succeed(json as S)
      : Result.fail(corrupt("no object"))
  }

  return {
    current,
    encode: JsonText.encode(schema),
    decode: ({ data, state_version, version }) => {
      const stateVersion = Number(state_version)
      if (stateVersion > current) {
        return Result.fail(
          new StoreError({ reason: new WrittenByNewer({ table, found: stateVersion, known: current }) })
        )
      }
      let json: unknown
      try {
        json = JSON.parse(String(data))
      } catch {
        // Node's message has a piece of the text.
        return Result.fail(corrupt("no JSON"))
      }
      const state = stateOf(json, stateVersion)
      return Result.isFailure(state)
        ? Result.fail(state.failure)
        : Result.succeed({ version: Number(version), state: state.success })
    }
  }
}
