/**
 * `parcela sandbox work`: jobs that were quarantined after a defect.
 *
 * @since 0.1.0
 */
import type { ParkedWork } from "@parcela/transport/sandbox/DueWorkControls"
import { Command } from "effect/cli"
import { timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { type Paint } from "../../Paint.ts"
import { table } from "../../Table.ts"

const shown = (paint: Paint, parked: ReadonlyArray<typeof ParkedWork.Type>): string =>
  parked.length === 0
    ? "No work is parked."
    : table(
        paint,
        ["KIND", "SUBJECT", "COMPANY", "PARKED", "TRIES", "PROBLEM"],
        parked.map(({ companyId, kind, parkedAt, problem, subject, tries }) => [
          kind,
          subject,
          companyId === undefined ? "" : String(companyId),
          timeOf(parkedAt),
          String(tries),
          problem
        ]),
        { leftOut: ["PARKED", "TRIES", "COMPANY"], wraps: true }
      )

const quarantined = derivedControl("parkedWork", "list", ({ parkedWork }, paint) => shown(paint, parkedWork))

const list = Command.make("list", quarantined.input, quarantined.handler).pipe(
  Command.withDescription("List the due work of all companies that met a defect and waits for somebody."),
  Command.withShortDescription("List parked work"),
  Command.withExamples([{ command: "parcela sandbox work list", description: "What waits for somebody" }])
)

const released = derivedControl("parkedWork", "release", () => "It is due again.")

const release = Command.make("release", released.input, released.handler).pipe(
  Command.withDescription(
    "Let workers try parked work again, at once. Kind and subject are as the list shows them, in quotes: 'send payment'."
  ),
  Command.withShortDescription("Try it again"),
  Command.withExamples([
    { command: "parcela sandbox work release 'resolve attempt' 01980f2e-5b9e-7c3a", description: "One of the list" }
  ])
)

export const work = Command.make("work").pipe(
  Command.withDescription("Due work that was parked after a defect"),
  Command.withSubcommands([list, release])
)
