/**
 * `parcela plans create`, `edit`, `deactivate` and `list`.
 *
 * @since 0.1.0
 */
import { planList } from "@parcela/core/lists/PlanList"
import type { CreatePlan, EditPlan } from "@parcela/core/plans/PlanInput"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readJson } from "../Body.ts"
import { exitCodeHelp } from "../Failure.ts"
import { by, idempotencyKey, key } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { refOf } from "../Refs.ts"
import * as Registers from "../Registers.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

const body = Flag.String("body").pipe(
  Flag.withDescription("The request body as JSON, from a file or - for stdin"),
  Flag.withMetavar("file|-")
)
const plan = Argument.String("plan").pipe(Argument.withDescription("Identifier of the plan"))

const create = Command.make("create", { body, idempotencyKey }, (given) =>
  run(
    (client) =>
      Effect.flatMap(readJson("--body", given.body), (json) =>
        client.plans.create(
          // The client decodes it before it is sent, and says what is wrong.
          json as typeof CreatePlan.Encoded,
          key("idempotencyKey", given.idempotencyKey)
        )
      ),
    (answer, paint) => Registers.plans(paint, [answer.Plan])
  )
).pipe(
  Command.withDescription(`Create a plan from a file. ${exitCodeHelp}`),
  Command.withShortDescription("Create a plan"),
  Command.withExamples([{ command: "parcela plans create --body plan.json", description: "From a file" }])
)

const edit = Command.make("edit", { plan, by, body, idempotencyKey }, (given) =>
  run(
    (client) =>
      Effect.flatMap(readJson("--body", given.body), (json) =>
        client.plans.edit(
          refOf(given.by, given.plan),
          // As above.
          json as typeof EditPlan.Encoded,
          key("idempotencyKey", given.idempotencyKey)
        )
      ),
    (answer, paint) => Registers.plans(paint, [answer.Plan])
  )
).pipe(
  Command.withDescription(`Change what a file has of a plan. ${exitCodeHelp}`),
  Command.withShortDescription("Edit a plan"),
  Command.withExamples([{ command: "parcela plans edit box --body prices.json", description: "New prices" }])
)

const deactivate = Command.make("deactivate", { plan, by, idempotencyKey }, (given) =>
  run(
    (client) => client.plans.deactivate(refOf(given.by, given.plan), key("idempotencyKey", given.idempotencyKey)),
    () => "The plan is inactive."
  )
).pipe(
  Command.withDescription(`Make a plan inactive; subscriptions that were made from it go on. ${exitCodeHelp}`),
  Command.withShortDescription("Deactivate a plan"),
  Command.withExamples([{ command: "parcela plans deactivate box", description: "By your identifier" }])
)

const list = Command.make(
  "list",
  listFlags(planList),
  runList({ definition: planList, key: "Plans", of: ({ plans }) => plans, show: Registers.plans })
).pipe(
  Command.withDescription(`List plans, one page at a time or --all. ${exitCodeHelp}`),
  Command.withShortDescription("List plans"),
  Command.withExamples([{ command: "parcela plans list --status active", description: "Those that can be used" }])
)

export const plans = Command.make("plans").pipe(
  Command.withDescription("Create, edit, deactivate and list plans"),
  Command.withSubcommands([create, edit, deactivate, list])
)
