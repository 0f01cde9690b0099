/**
 * Access to the sandbox's controls: programs on this machine or, if a token is set, clients with the token.
 *
 * @since 0.1.0
 */
import * as TokenAccess from "@parcela/service/OperatorAccess"
import type * as Redacted from "effect/Redacted"

/**
 * Without a token only programs on this machine are allowed. With a token every request needs the token, from any
 * address.
 *
 * @category guards
 * @since 0.1.0
 */
export const make = (token: Redacted.Redacted | undefined) =>
  TokenAccess.make({
    name: "controls",
    token,
    onlyFromHere:
      "The sandbox's controls are for programs on this machine that call it directly, not through a proxy: for others set PARCELA_CONTROLS_TOKEN",
    missing: "Send Authorization: Bearer with the controls token of this sandbox (PARCELA_CONTROLS_TOKEN)",
    wrong: "The controls token is not that of this sandbox (PARCELA_CONTROLS_TOKEN)"
  })
