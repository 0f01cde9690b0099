/**
 * `parcela charges create`, `retry`, `reverse`, `capture`, `cancel` and `list`.
 *
 * @since 0.1.0
 */
import type { CreateCharge } from "@parcela/core/charges/CreateCharge"
import { chargeList } from "@parcela/core/lists/ChargeList"
import { PaymentMethodId } from "@parcela/core/paymentMethods/PaymentMethodId"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { bodyFlag, readJson } from "../Body.ts"
import { cardFlags, cardOf } from "../CardFlags.ts"
import { companyDay } from "../CompanyDay.ts"
import { customerFlags, customerOf } from "../CustomerFlags.ts"
import * as Entities from "../Entities.ts"
import { exitCodeHelp } from "../Failure.ts"
import { by, day, idempotencyKey, key, mixed, text } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { refOf } from "../Refs.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

const cents = (what: string) =>
  Flag.Int("value").pipe(Flag.withDescription(what), Flag.withMetavar("cents"), Flag.optional)

const createFlags = {
  body: bodyFlag,
  myId: text("my-id", "Your identifier of the charge", "id"),
  value: cents("Price in cents: 12990 is R$ 129,90"),
  payday: day("payday", "When it is due; when absent, the day that the company's clock shows in Brazil"),
  method: Flag.Literals("method", PaymentMethodId.literals).pipe(Flag.withDescription("How it is paid"), Flag.optional),
  info: text("info", "Note for internal use"),
  ...customerFlags,
  ...cardFlags
}

/** The body of a request: the JSON that is given, or what flags say. */
const bodyOf = Effect.fnUntraced(function* (given: Command.Command.Config.Infer<typeof createFlags>, baseUrl: string) {
  const fields = {
    ...key("myId", given.myId),
    ...key("value", given.value),
    ...key("payday", given.payday),
    ...key("mainPaymentMethodId", given.method),
    ...key("additionalInfo", given.info),
    ...(yield* cardOf(given, baseUrl))
  }
  const Customer = customerOf(given)
  const names = [...Object.keys(fields), ...Object.keys(Customer)]
  if (Option.isSome(given.body) && names.length > 0) return yield* mixed(names)
  if (Option.isSome(given.body)) return yield* readJson("--body", given.body.value)
  return { ...fields, ...(names.includes("payday") ? {} : { payday: yield* companyDay }), Customer }
})

const create = Command.make("create", { ...createFlags, idempotencyKey }, (given) =>
  run(
    (client, to) =>
      Effect.gen(function* () {
        return yield* client.charges.create(
          // The client decodes it before it is sent, and says what is wrong.
          (yield* bodyOf(given, to.baseUrl)) as typeof CreateCharge.Encoded,
          key("idempotencyKey", given.idempotencyKey)
        )
      }),
    (response, paint) => Entities.charge(paint, response.Charge)
  )
).pipe(
  Command.withDescription(
    `Create a charge with its one payment. A card that is due today is charged at once; a denial is a response with the status denied, and exit code 0. ${exitCodeHelp}`
  ),
  Command.withShortDescription("Create a charge"),
  Command.withExamples([
    {
      command: "parcela charges create --my-id order-1 --value 12990 --method pix --customer-my-id maria",
      description: "By Pix, of a customer who is known"
    },
    {
      command:
        "parcela charges create --my-id order-2 --value 500 --method creditcard --customer-my-id maria --test-card approved",
      description: "By card, in the sandbox"
    }
  ])
)

const named = {
  charge: Argument.String("charge").pipe(Argument.withDescription("Identifier of the charge")),
  by,
  idempotencyKey
}

const retry = Command.make("retry", named, (given) =>
  run(
    (client) => client.charges.retry(refOf(given.by, given.charge), key("idempotencyKey", given.idempotencyKey)),
    (response, paint) => Entities.charge(paint, response.Charge)
  )
).pipe(
  Command.withDescription(`Try the card payment of a charge again. ${exitCodeHelp}`),
  Command.withExamples([{ command: "parcela charges retry order-2", description: "By your identifier" }])
)

const reverse = Command.make(
  "reverse",
  { ...named, value: cents("How much to give back, in cents; all that is left when absent") },
  (given) =>
    run(
      (client) =>
        client.charges.reverse(
          refOf(given.by, given.charge),
          key("valueToReverse", given.value),
          key("idempotencyKey", given.idempotencyKey)
        ),
      (response, paint) => Entities.charge(paint, response.Charge)
    )
).pipe(
  Command.withDescription(`Give a charge back, whole or in part, or release what is authorized. ${exitCodeHelp}`),
  Command.withExamples([{ command: "parcela charges reverse order-2 --value 500", description: "R$ 5,00 of it" }])
)

const capture = Command.make("capture", named, (given) =>
  run(
    (client) => client.charges.capture(refOf(given.by, given.charge), key("idempotencyKey", given.idempotencyKey)),
    (response, paint) => Entities.charge(paint, response.Charge)
  )
).pipe(
  Command.withDescription(`Capture a charge that is authorized. ${exitCodeHelp}`),
  Command.withExamples([{ command: "parcela charges capture order-2", description: "By your identifier" }])
)

const cancel = Command.make("cancel", named, (given) =>
  run(
    (client) => client.charges.cancel(refOf(given.by, given.charge), key("idempotencyKey", given.idempotencyKey)),
    () => "Cancelled\n"
  )
).pipe(
  Command.withDescription(`Cancel a charge that is not paid, with its payment. ${exitCodeHelp}`),
  Command.withExamples([
    { command: "parcela charges cancel 7 --by svcPayId", description: "By the service's identifier" }
  ])
)

const list = Command.make(
  "list",
  listFlags(chargeList),
  runList({ definition: chargeList, key: "Charges", of: ({ charges }) => charges, show: Entities.charges })
).pipe(
  Command.withDescription(`List charges, one page at a time or --all. ${exitCodeHelp}`),
  Command.withExamples([
    { command: "parcela charges list --extra-field ORDER.1001", description: "By a field of your own" }
  ])
)

export const charges = Command.make("charges").pipe(
  Command.withDescription("Create, retry, reverse, capture, cancel and list one-off charges"),
  Command.withSubcommands([create, retry, reverse, capture, cancel, list])
)
