/**
 * A text of SQL with its parameters. The text depends on what is asked alone and never on values, so that it is prepared
 * once.
 *
 * @since 0.1.0
 */
import type { Dialect } from "./Dialect.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type Value = string | number | null

/**
 * A row as the driver has it.
 *
 * @category models
 * @since 0.1.0
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * @category models
 * @since 0.1.0
 */
export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<Value>
}

/**
 * Builds a statement; `bind` gives the place of a value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (dialect: Dialect, build: (bind: (value: Value) => string) => string): Statement => {
  const values: Array<Value> = []
  const text = build((value) => dialect.parameter(values.push(value)))
  return { text, values }
}

/**
 * What a part of a text is written with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Writing {
  readonly dialect: Dialect
  /** The place of a value. */
  readonly bind: (value: Value) => string
}

/**
 * The places of values, for `IN`; of none, a list in which nothing is. There is one text for each number of them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const places = ({ bind }: Writing, values: ReadonlyArray<Value>): string =>
  values.length === 0 ? "(NULL)" : `(${values.map(bind).join(", ")})`
