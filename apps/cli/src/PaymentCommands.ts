/**
 * Common commands of charges and transactions, `retry`, `reverse`, `capture` and `cancel`, and the flags of a payment.
 *
 * @since 0.1.0
 */
import type { ReverseTransaction } from "@parcela/core/transactions/PaymentRequests"
import type { WriteOptions } from "@parcela/transport/client/ClientOptions"
import type { WriteError } from "@parcela/transport/client/ClientError"
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import type { Ref } from "@parcela/transport/client/RequestEncoder"
import { type Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { action, run } from "./Run.ts"
import * as Entities from "./Entities.ts"
import { cents, key, text, argument, ofEntity, refOf } from "./Flags.ts"
import type { Paint } from "./Terminal.ts"

/** Flags of a payment's fields, for its creation and for an edit. */
export const paymentFlags = {
  value: cents("value", "Price in cents: 12990 is R$ 129,90"),
  outside: Flag.Boolean("paid-outside").pipe(
    Flag.withDescription("Mark as paid outside the service: it is not charged"),
    Flag.withDefault(false)
  ),
  info: text("info", "Text that is printed on the bank slip")
}

export const paymentOf = (given: Command.Command.Config.Infer<typeof paymentFlags>) => ({
  ...key("value", given.value),
  ...(given.outside ? { payedOutsideSvcPay: true } : {}),
  ...key("additionalInfo", given.info)
})

type Ask<A> = (ref: Ref, options: WriteOptions) => Effect.Effect<A, WriteError>

interface Operations<Retried, Reversed, Captured> {
  readonly retry: Ask<Retried>
  readonly reverse: (
    ref: Ref,
    body: typeof ReverseTransaction.Encoded,
    options: WriteOptions
  ) => Effect.Effect<Reversed, WriteError>
  readonly capture: Ask<Captured>
  readonly cancel: Ask<unknown>
}

/** Returns the commands. `cancelled` is the output of a cancellation. */
export const paymentCommands = <Retried extends Shown, Reversed extends Shown, Captured extends Shown, Shown>(options: {
  readonly entity: "charge" | "transaction"
  readonly of: (client: ParcelaClient["Service"]) => Operations<Retried, Reversed, Captured>
  readonly show: (response: Shown, paint: Paint) => string
  readonly cancelled: string
}) => {
  const { cancelled, entity, of, show } = options
  return {
    retry: action("retry", entity, (client, ref, given) => of(client).retry(ref, given), show),
    reverse: Command.make(
      "reverse",
      {
        id: argument(entity),
        value: cents("value", "Amount to reverse in cents; default: the remaining amount"),
        ...ofEntity
      },
      ({ by, id, idempotencyKey, value }) =>
        run(
          (client) =>
            of(client).reverse(refOf(by, id), key("valueToReverse", value), key("idempotencyKey", idempotencyKey)),
          (response, paint) => [Entities.givenBack(Option.getOrUndefined(value)), show(response, paint)].join("\n")
        )
    ),
    capture: action("capture", entity, (client, ref, given) => of(client).capture(ref, given), show),
    cancel: action(
      "cancel",
      entity,
      (client, ref, given) => of(client).cancel(ref, given),
      () => cancelled
    )
  }
}
