/**
 * What a response shows, as its reader has it.
 *
 * @since 0.1.0
 */
import { type View, writer } from "@parcela/core/json/Picking"
import type * as Schema from "effect/Schema"

/**
 * What a schema shows of a view, read from the bytes that are written.
 *
 * @category conversions
 * @since 0.1.0
 */
export const picked = <S extends Schema.Constraint>(schema: S, view: View<S["Type"]>): S["Type"] =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(writer(schema)(view)))
