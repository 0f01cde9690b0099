/** A response as its client reads it. */
import { type View, serializer } from "@parcela/core/json/ResponseSerializer"
import type { Schema } from "effect"

/** The JSON that a schema writes for a view, parsed. */
export const picked = <S extends Schema.Constraint>(schema: S, view: View<S["Type"]>): S["Type"] =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(serializer(schema)(view)))
