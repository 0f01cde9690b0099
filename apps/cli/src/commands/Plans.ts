/**
 * `parcela plans create`, `edit`, `deactivate` and `list`.
 *
 * @since 0.1.0
 */
import { planList } from "@parcela/core/lists/EntityLists"
import { Periodicity, type CreatePlan, type EditPlan, type PlanPriceInput } from "@parcela/core/plans/Plan"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { action, write } from "../Run.ts"
import { bodyFlag, BodyOf } from "../Body.ts"
import { digits, idempotencyKey, key, keys, many, text, argument, ofEntity, refOf } from "../Flags.ts"
import * as Entities from "../Entities.ts"
import { listCommand } from "../Lists.ts"

const fields = {
  myId: text("my-id", "Your identifier of the plan", "id"),
  name: text("name", "Name of the plan"),
  periodicity: Flag.Literals("periodicity", Periodicity.literals).pipe(
    Flag.withDescription("Interval of payments of its subscriptions"),
    Flag.optional
  ),
  quantity: Flag.Int("quantity").pipe(
    Flag.withDescription("Number of payments of its subscriptions; 0 for no end"),
    Flag.optional
  ),
  price: many(
    "price",
    "Price by a payment method, in cents: pix=4990, creditcard=5990, creditcard/12=6990 in 12 instalments",
    "method=cents"
  ),
  info: text("info", "Note for internal use"),
  body: bodyFlag
}

/** Parses `creditcard/12=6990`. The request's validation reports invalid text. */
const priceOf = (text: string) => {
  const [, payment = text, installment, value = ""] = /^([^/=]*)(?:\/([^=]*))?=(.*)$/u.exec(text) ?? []
  return {
    // The request's validation reports an unknown payment method.
    payment: payment as PlanPriceInput["payment"],
    value: digits(value),
    ...(installment === undefined ? {} : { installment: digits(installment) })
  }
}

const fieldsOf = (given: Omit<Command.Command.Config.Infer<typeof fields>, "body">) => ({
  ...key("myId", given.myId),
  ...key("name", given.name),
  ...key("periodicity", given.periodicity),
  ...key("quantity", given.quantity),
  ...keys("PlanPrices", given.price.map(priceOf)),
  ...key("additionalInfo", given.info)
})

const create = Command.make("create", { ...fields, idempotencyKey }, (given) =>
  write(
    given,
    () => Effect.succeed(fieldsOf(given)),
    (client, body: typeof CreatePlan.Encoded, options) => client.plans.create(body, options),
    (response, paint) => Entities.plans(paint, [response.Plan])
  )
).pipe(
  Command.annotate(BodyOf, "createPlan"),
  Command.withDescription("Create a plan with a price for each payment method."),
  Command.withShortDescription("Create a plan"),
  Command.withExamples([
    {
      command:
        'parcela plans create --my-id box --name "Monthly box" --periodicity monthly --quantity 0 --price creditcard=12990 --price pix=11990',
      description: "Monthly, without end, cheaper by Pix"
    },
    { command: "parcela plans create --body plan.json", description: "From a file" }
  ])
)

const edit = Command.make("edit", { plan: argument("plan"), ...fields, ...ofEntity }, (given) =>
  write(
    given,
    () => Effect.succeed(fieldsOf(given)),
    (client, body: typeof EditPlan.Encoded, options) => client.plans.edit(refOf(given.by, given.plan), body, options),
    (response, paint) => Entities.plans(paint, [response.Plan])
  )
).pipe(
  Command.annotate(BodyOf, "editPlan"),
  Command.withDescription(
    "Change the given fields of a plan. Prices are replaced as a whole. Existing subscriptions keep their prices."
  ),
  Command.withShortDescription("Change a plan"),
  Command.withExamples([
    { command: "parcela plans edit box --price creditcard=13990 --price pix=12990", description: "New prices" }
  ])
)

const deactivate = action(
  "deactivate",
  "plan",
  (client, plan, options) => client.plans.deactivate(plan, options),
  () => "The plan is inactive."
).pipe(
  Command.withDescription("Deactivate a plan. Its subscriptions continue."),
  Command.withShortDescription("Deactivate a plan"),
  Command.withExamples([{ command: "parcela plans deactivate box", description: "By your identifier" }])
)

const list = listCommand({ definition: planList, key: "Plans", of: ({ plans }) => plans, show: Entities.plans }).pipe(
  Command.withDescription("List plans with their prices, one page or --all."),
  Command.withShortDescription("List plans"),
  Command.withExamples([{ command: "parcela plans list --status active", description: "Active plans" }])
)

export const plans = Command.make("plans").pipe(
  Command.withDescription("Create, edit, deactivate and list plans"),
  Command.withSubcommands([create, edit, deactivate, list])
)
