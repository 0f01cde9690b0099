/**
 * A state as JSON in the column `data`, with the version of its shape in `state_version`.
 *
 * **Details**
 *
 * `encode` checks a state, so its JSON is not checked again when it is read; tests check every row (`CheckedRows`). A row
 * of a later version was written by a newer program and is refused: this program could drop fields that it does not have.
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
 * The version of the shapes of all states. It rises when rows that were written before no longer fit, or when an earlier
 * program would drop what is new.
 *
 * @category constants
 * @since 0.1.0
 */
export const stateVersion = 1

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
}): VersionedState<S> => {
  const { schema, table } = options
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

  const stateOf = (json: unknown): Result.Result<S, StoreError> => {
    if (areRowsChecked()) return checked(json)
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? // What `encode` wrote.
        Result.succeed(json as S)
      : Result.fail(corrupt("no object"))
  }

  return {
    encode: JsonText.encode(schema),
    decode: ({ data, state_version, version }) => {
      const found = Number(state_version)
      if (found > stateVersion) {
        return Result.fail(new StoreError({ reason: new WrittenByNewer({ table, found, known: stateVersion }) }))
      }
      let json: unknown
      try {
        json = JSON.parse(String(data))
      } catch {
        // Node's message contains a part of the text.
        return Result.fail(corrupt("no JSON"))
      }
      return Result.map(stateOf(json), (state) => ({ version: Number(version), state }))
    }
  }
}
