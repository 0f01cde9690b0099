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
 * @since 0.1.0
 */
import { StoreError, WrittenByNewer } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "./Columns.ts"
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
  readonly decode: (row: object) => Result.Result<StoredState<S>, StoreError>
}

const decodeColumns = Schema.decodeUnknownResult(
  Schema.Struct({
    data: Schema.String,
    version: Columns.integer(Schema.Int),
    state_version: Columns.integer(Schema.Int)
  })
)

const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

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
  const text = Schema.fromJsonString(schema)
  const decodeCurrent = Schema.decodeUnknownResult(text)
  const decodeState = Schema.decodeUnknownResult(schema)
  const toError = toStoreError(table)

  const stateOf = (data: string, version: number) =>
    version === current
      ? decodeCurrent(data)
      : Result.flatMap(decodeJson(data), (json) =>
          decodeState(upcasts.slice(version - 1).reduce((state, upcast) => upcast(state), json))
        )

  return {
    current,
    encode: Schema.encodeSync(text),
    decode: (row) =>
      Result.flatMap(Result.mapError(decodeColumns(row), toError), ({ data, state_version: stateVersion, version }) =>
        stateVersion > current
          ? Result.fail(new StoreError({ reason: new WrittenByNewer({ table, found: stateVersion, known: current }) }))
          : Result.map(Result.mapError(stateOf(data, stateVersion), toError), (state) => ({ version, state }))
      )
  }
}
