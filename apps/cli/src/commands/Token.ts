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
      "Scopes to ask for, separated by spaces; all allowed but balance.write and pos.write when absent",
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
  Command.withDescription("Obtain an access token and say what it allows."),
  Command.withShortDescription("Obtain an access token"),
  Command.withExamples([
    { command: "parcela token", description: "Do the credentials work, and what do they allow?" },
    {
      command: 'curl -H "Authorization: Bearer $(parcela token --json | jq -r .access_token)" ...',
      description: "Use the token elsewhere"
    }
  ])
)
