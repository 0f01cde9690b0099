/**
 * `parcela sandbox fixtures`: creates the entities of a file.
 *
 * @since 0.1.0
 */
import type { Applied, Fixtures } from "@parcela/transport/sandbox/FixtureControls"
import { Effect, Ref } from "effect"
import { Argument, Command } from "effect/cli"
import { readJson } from "../../Body.ts"
import { naming } from "../../Connection.ts"
import { control } from "../../Control.ts"
import { NotAsDeclared } from "../../Failure.ts"
import { type Paint } from "../../Paint.ts"
import { table } from "../../Table.ts"

type Row = typeof Applied.Type

const outcomes = { created: "created", alreadyThere: "already there", differs: "differs", refused: "refused" }

const shown = (paint: Paint, applied: ReadonlyArray<Row>): string =>
  applied.length === 0
    ? "The file declares nothing."
    : table(
        paint,
        ["KIND", "NAME", "OUTCOME", "WHAT"],
        applied.map(({ fields = [], kind, name, outcome, problem = "" }) => [
          kind,
          name,
          outcomes[outcome],
          fields.length > 0 ? fields.join(", ") : problem
        ]),
        { wraps: true }
      )

const isOff = ({ outcome }: Row): boolean => outcome === "differs" || outcome === "refused"

const apply = Command.make(
  "apply",
  { file: Argument.String("file").pipe(Argument.withDescription("The fixtures as JSON, from a file or - for stdin")) },
  Effect.fnUntraced(function* ({ file }) {
    // The client validates the JSON before it is sent.
    const body = (yield* readJson("file", file, { naming: yield* naming })) as typeof Fixtures.Encoded
    const off = yield* Ref.make(0)
    yield* control(
      (client, clientId) =>
        Effect.tap(client.fixtures.apply(clientId, body), ({ applied }) => Ref.set(off, applied.filter(isOff).length)),
      ({ applied }, paint) => shown(paint, applied)
    )
    const count = yield* Ref.get(off)
    if (count > 0) return yield* new NotAsDeclared({ count })
  })
).pipe(
  Command.withDescription(
    "Make what the file declares and the company has not: its clock, identity, endpoints, plans, customers, subscriptions, payments, charges and faults. Applied twice it changes nothing; what is there and differs stays as it is and is named."
  ),
  Command.withShortDescription("Make what a file declares"),
  Command.withExamples([
    { command: "parcela sandbox fixtures apply fixtures.json", description: "As often as you like" }
  ])
)

export const fixtures = Command.make("fixtures").pipe(
  Command.withDescription("What a company is to have, from a file"),
  Command.withSubcommands([apply])
)
