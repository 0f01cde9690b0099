/**
 * `parcela token`: checks the credentials and shows their scopes.
 *
 * @since 0.1.0
 */
import { Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { text } from "../Flags.ts"
import { facts } from "../Terminal.ts"
import { run } from "../Run.ts"

export const token = Command.make(
  "token",
  {
    scope: text(
      "scope",
      "Requested scopes, separated by spaces; default: all allowed scopes except balance.write and pos.write",
      "scopes"
    ),
    show: Flag.Boolean("show").pipe(Flag.withDescription("Print the token itself as well"), Flag.withDefault(false))
  },
  ({ scope, show }) =>
    run(
      (client) =>
        client.token({
          grant_type: "client_credentials",
          ...(Option.isSome(scope) ? { scope: scope.value } : {})
        }),
      (response, paint) =>
        facts(paint, [
          ["token type", response.token_type],
          ["expires in", `${response.expires_in} s`],
          ["scopes", response.scope?.split(" ")],
          ["token", show ? Redacted.value(response.access_token) : "hidden (--show prints it)"]
        ])
    )
).pipe(
  Command.withDescription("Obtain an access token and show its scopes."),
  Command.withShortDescription("Obtain an access token"),
  Command.withExamples([
    { command: "parcela token", description: "Check the credentials and their scopes" },
    {
      command: 'curl -H "Authorization: Bearer $(parcela token --json | jq -r .access_token)" ...',
      description: "Use the token in another program"
    }
  ])
)
