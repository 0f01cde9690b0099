/** What a response shows, as its reader has it. */
import { type View, serializer } from "@parcela/core/json/ResponseSerializer"
import type { Schema } from "effect"

/** What a schema shows of a view, read from the bytes that are written. */
export const picked = <S extends Schema.Constraint>(schema: S, view: View<S["Type"]>): S["Type"] =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(serializer(schema)(view)))
