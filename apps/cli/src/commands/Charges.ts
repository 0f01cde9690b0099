/**
 * `parcela charges create`, `edit`, `retry`, `reverse`, `capture`, `cancel` and `list`.
 *
 * @since 0.1.0
 */
import type { CreateCharge, EditCharge } from "@parcela/core/charges/Charge"
import { chargeList } from "@parcela/core/lists/EntityLists"
import { PaymentMethodId } from "@parcela/core/paymentMethods/PaymentMethod"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { bodyFlag, BodyOf } from "../Body.ts"
import { todayWithout } from "../Connection.ts"
import {
  cardFlags,
  cardOf,
  cardTermFlags,
  customerFlags,
  customerOf,
  extraFieldFlags,
  extraFieldsOf,
  planFlags,
  planOf
} from "../EntityFlags.ts"
import * as Entities from "../Entities.ts"
import { day, idempotencyKey, key, text, argument, ofEntity, refOf } from "../Flags.ts"
import { paymentCommands, paymentFlags, paymentOf } from "../PaymentCommands.ts"
import { listCommand } from "../Lists.ts"
import { write } from "../Run.ts"

interface ChargeResponse {
  readonly Charge: Parameters<typeof Entities.charge>[1]
}

/** The flags of a new or edited charge. */
const chargeFlags = {
  myId: text("my-id", "Your identifier of the charge; required for a new charge", "id"),
  ...paymentFlags,
  ...planFlags,
  ...extraFieldFlags
}

const chargeOf = (given: Command.Command.Config.Infer<typeof chargeFlags>) => ({
  ...key("myId", given.myId),
  ...paymentOf(given),
  ...planOf(given),
  ...extraFieldsOf(given)
})

const create = Command.make(
  "create",
  {
    ...chargeFlags,
    payday: day("payday", "Due date; default: today in Brazil by the company's clock"),
    method: Flag.Literals("method", PaymentMethodId.literals).pipe(
      Flag.withDescription("Payment method"),
      Flag.optional
    ),
    ...customerFlags,
    ...cardFlags,
    ...cardTermFlags,
    body: bodyFlag,
    idempotencyKey
  },
  (given) =>
    write(
      given,
      (to) =>
        Effect.map(cardOf(given, to), (card) => ({
          ...chargeOf(given),
          ...key("payday", given.payday),
          ...key("mainPaymentMethodId", given.method),
          Customer: customerOf(given),
          ...card
        })),
      (client, body: typeof CreateCharge.Encoded, options) => client.charges.create(body, options),
      (response, paint) => Entities.charge(paint, response.Charge),
      todayWithout("payday")
    )
).pipe(
  Command.annotate(BodyOf, "createCharge"),
  Command.withDescription(
    "Create a charge with its one payment. A card that is due today is charged at once; a denial has the status denied and exit code 0. Other fields need --body."
  ),
  Command.withShortDescription("Create a charge"),
  Command.withExamples([
    {
      command: "parcela charges create --my-id order-1 --value 12990 --method pix --customer-my-id maria",
      description: "By Pix, for an existing customer"
    },
    {
      command:
        "parcela charges create --my-id order-2 --value 500 --method creditcard --customer-my-id maria --test-card approved",
      description: "By card, in the sandbox"
    },
    {
      command:
        "parcela charges create --my-id order-3 --value 500 --method creditcard --customer-my-id maria --test-card approved --pre-authorize",
      description: "Authorized now, captured later by parcela charges capture order-3"
    }
  ])
)

const edit = Command.make(
  "edit",
  {
    charge: argument("charge"),
    ...chargeFlags,
    payday: day("payday", "Due date"),
    body: bodyFlag,
    ...ofEntity
  },
  (given) =>
    write(
      given,
      () => Effect.succeed({ ...chargeOf(given), ...key("payday", given.payday) }),
      (client, body: typeof EditCharge.Encoded, options) =>
        client.charges.edit(refOf(given.by, given.charge), body, options),
      (response, paint) => Entities.charge(paint, response.Charge)
    )
).pipe(
  Command.annotate(BodyOf, "editCharge"),
  Command.withDescription(
    "Change the given fields of a charge. Value and payday can be changed until it is paid. A registered boleto or Pix is withdrawn and registered again. A card payment that becomes due is charged at once."
  ),
  Command.withShortDescription("Change a charge"),
  Command.withExamples([
    { command: "parcela charges edit order-1 --value 9990 --payday 2026-12-20", description: "Cheaper, and later" },
    { command: "parcela charges edit order-1 --paid-outside --info cash", description: "Paid in cash" }
  ])
)

const commands = paymentCommands({
  entity: "charge",
  of: ({ charges }) => charges,
  show: (response: ChargeResponse, paint) => Entities.charge(paint, response.Charge),
  cancelled: "The charge is cancelled, and its payment with it."
})

const retry = commands.retry.pipe(
  Command.withDescription("Retry the card payment of a charge."),
  Command.withExamples([{ command: "parcela charges retry order-2", description: "By your identifier" }])
)

const reverse = commands.reverse.pipe(
  Command.withDescription("Reverse a charge, whole or in part, or release an authorized amount."),
  Command.withShortDescription("Reverse a charge"),
  Command.withExamples([{ command: "parcela charges reverse order-2 --value 500", description: "R$ 5,00 of it" }])
)

const capture = commands.capture.pipe(
  Command.withDescription("Capture an authorized charge."),
  Command.withExamples([{ command: "parcela charges capture order-2", description: "By your identifier" }])
)

const cancel = commands.cancel.pipe(
  Command.withDescription("Cancel an unpaid charge with its payment."),
  Command.withExamples([
    { command: "parcela charges cancel 7 --by svcPayId", description: "By the service's identifier" }
  ])
)

const list = listCommand({
  definition: chargeList,
  key: "Charges",
  of: ({ charges }) => charges,
  show: Entities.charges
}).pipe(
  Command.withDescription("List charges, one page or --all."),
  Command.withShortDescription("List charges"),
  Command.withExamples([
    { command: "parcela charges list --extra-field ORDER.1001", description: "By a field of your own" }
  ])
)

export const charges = Command.make("charges").pipe(
  Command.withDescription("Create, edit, retry, reverse, capture, cancel and list one-off charges"),
  Command.withSubcommands([create, edit, retry, reverse, capture, cancel, list])
)
