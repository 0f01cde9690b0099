/**
 * `parcela sandbox snapshots` and `reset`: takes, restores and removes named states of a company, and resets the
 * company.
 *
 * @since 0.1.0
 */
import type { Snapshot } from "@parcela/transport/sandbox/SnapshotControls"
import { Command, Argument } from "effect/cli"
import { timeOf, control } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import type { Paint } from "../../Terminal.ts"
import { table } from "../../Table.ts"
import type { Applied, Fixtures } from "@parcela/transport/sandbox/FixtureControls"
import { Effect, Ref } from "effect"
import { readJson } from "../../Body.ts"
import { naming } from "../../Connection.ts"
import { NotAsDeclared } from "../../Failure.ts"

const listed = (paint: Paint, snapshots: ReadonlyArray<typeof Snapshot.Type>): string =>
  snapshots.length === 0
    ? "No snapshots."
    : table(
        paint,
        ["NAME", "ROWS", "TAKEN"],
        snapshots.map(({ name, rows, takenAt }) => [name, String(rows), timeOf(takenAt)])
      )

const all = derivedControl("snapshots", "list", ({ snapshots }, paint) => listed(paint, snapshots))

const list = Command.make("list", all.input, all.handler).pipe(
  Command.withDescription("List the company's snapshots by name."),
  Command.withShortDescription("List snapshots"),
  Command.withExamples([{ command: "parcela sandbox snapshots list", description: "What can be put back" }])
)

const taken = derivedControl("snapshots", "take", ({ replaced = false, ...snapshot }, paint) =>
  [listed(paint, [snapshot]), ...(replaced ? ["It replaced the one of that name."] : [])].join("\n")
)

const take = Command.make("take", taken.input, taken.handler).pipe(
  Command.withDescription(
    "Keep all that the company has, with its clock and the simulated providers' part, under a name. One of that name is replaced."
  ),
  Command.withShortDescription("Keep what the company has"),
  Command.withExamples([{ command: "parcela sandbox snapshots take base", description: "Before the tests" }])
)

const restored = derivedControl("snapshots", "restore", () => "The company is as it was when the snapshot was taken.")

const restore = Command.make("restore", restored.input, restored.handler).pipe(
  Command.withDescription(
    "Put a snapshot back: what came after it is gone, at the simulated providers too. Credentials and tokens stay, and numbers go on."
  ),
  Command.withShortDescription("Put it back"),
  Command.withExamples([{ command: "parcela sandbox snapshots restore base", description: "Before the next test" }])
)

const removed = derivedControl("snapshots", "remove", () => "The snapshot is deleted.")

const remove = Command.make("delete", removed.input, removed.handler).pipe(
  Command.withDescription("Delete a snapshot. The company stays as it is."),
  Command.withShortDescription("Delete a snapshot"),
  Command.withExamples([{ command: "parcela sandbox snapshots delete base", description: "By its name" }])
)

export const snapshots = Command.make("snapshots").pipe(
  Command.withDescription("What the company has, kept under a name and put back"),
  Command.withSubcommands([list, take, restore, remove])
)

const emptied = derivedControl("snapshots", "reset", (_, __, company) => `The company ${company} is as a new one.`)

export const reset = Command.make("reset", emptied.input, emptied.handler).pipe(
  Command.withDescription(
    "Remove all that the company has, at the simulated providers too, and set its clock to the machine's time. Credentials, tokens and snapshots stay."
  ),
  Command.withShortDescription("Remove all that the company has"),
  Command.withExamples([
    { command: "parcela sandbox reset", description: "The company of --client-id" },
    { command: "parcela --client-id suite-7 sandbox reset", description: "Another one" }
  ])
)

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
