/**
 * `parcela sandbox snapshots`, `reset` and `fixtures`: takes and restores named states of a company, deletes its data, and
 * creates the entities of a file.
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
  Command.withExamples([{ command: "parcela sandbox snapshots list", description: "All snapshots" }])
)

const taken = derivedControl("snapshots", "take", ({ replaced = false, ...snapshot }, paint) =>
  [listed(paint, [snapshot]), ...(replaced ? ["It replaced the snapshot of that name."] : [])].join("\n")
)

const take = Command.make("take", taken.input, taken.handler).pipe(
  Command.withDescription(
    "Store the state of the company under a name, with its clock and its data at the simulated providers. Replaces a snapshot of that name."
  ),
  Command.withShortDescription("Take a snapshot"),
  Command.withExamples([{ command: "parcela sandbox snapshots take base", description: "Before the tests" }])
)

const restored = derivedControl("snapshots", "restore", () => "The company has the state of the snapshot.")

const restore = Command.make("restore", restored.input, restored.handler).pipe(
  Command.withDescription(
    "Restore a snapshot. Later changes are deleted, also at the simulated providers. Credentials and tokens stay, and numbers are not used again."
  ),
  Command.withShortDescription("Restore a snapshot"),
  Command.withExamples([{ command: "parcela sandbox snapshots restore base", description: "Before the next test" }])
)

const removed = derivedControl("snapshots", "remove", () => "The snapshot is deleted.")

const remove = Command.make("delete", removed.input, removed.handler).pipe(
  Command.withDescription("Delete a snapshot. The company does not change."),
  Command.withShortDescription("Delete a snapshot"),
  Command.withExamples([{ command: "parcela sandbox snapshots delete base", description: "By its name" }])
)

export const snapshots = Command.make("snapshots").pipe(
  Command.withDescription("Take and restore snapshots of the company"),
  Command.withSubcommands([list, take, restore, remove])
)

const emptied = derivedControl("snapshots", "reset", (_, __, company) => `The company ${company} is empty.`)

export const reset = Command.make("reset", emptied.input, emptied.handler).pipe(
  Command.withDescription(
    "Delete all data of the company, also at the simulated providers, and set its clock to the machine's time. Credentials, tokens and snapshots stay."
  ),
  Command.withShortDescription("Delete all data of the company"),
  Command.withExamples([
    { command: "parcela sandbox reset", description: "The company of --client-id" },
    { command: "parcela --client-id suite-7 sandbox reset", description: "Another company" }
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
    "Create the declared entities that the company lacks: clock, identity, endpoints, plans, customers, subscriptions, payments, charges and faults. A second run changes nothing. Existing entities that differ are listed and not changed."
  ),
  Command.withShortDescription("Create the entities of a file"),
  Command.withExamples([{ command: "parcela sandbox fixtures apply fixtures.json", description: "May be repeated" }])
)

export const fixtures = Command.make("fixtures").pipe(
  Command.withDescription("Create the entities of a file"),
  Command.withSubcommands([apply])
)
