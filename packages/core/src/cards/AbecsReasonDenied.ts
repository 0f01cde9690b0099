/**
 * The reason of a card denial in terms of the Brazilian card association ABECS (interface section 2.5).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { string } from "../values/Text.ts"

/**
 * A code of at most 4 characters, usually 2, and its message.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AbecsReasonDenied = Schema.Struct({
  code: described(string(4), "Code of the denial, usually two characters."),
  message: described(string(255), "Meaning of the code.")
}).annotate({
  identifier: "AbecsReasonDenied",
  description: "Reason of a card denial: code and message of the Brazilian card association (ABECS)."
})

/**
 * @category models
 * @since 0.1.0
 */
export type AbecsReasonDenied = typeof AbecsReasonDenied.Type
