import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AbecsReasonDenied } from "../src/AbecsReasonDenied.ts"
import { AddPayment } from "../src/AddPayment.ts"
import { Address } from "../src/Address.ts"
import { BillingRefusal } from "../src/BillingError.ts"
import { BillingEvent } from "../src/BillingEvent.ts"
import { CardOfRetry, CardOfSubscription, CardOfTransaction } from "../src/Card.ts"
import { CardState } from "../src/CardState.ts"
import { CompanyState } from "../src/CompanyState.ts"
import { CreateManualSubscription } from "../src/CreateManualSubscription.ts"
import { Customer } from "../src/Customer.ts"
import { CustomerState } from "../src/CustomerState.ts"
import { ErrorNode } from "../src/ErrorNode.ts"
import { LocalDate } from "../src/LocalDate.ts"
import { LocalDateTime } from "../src/LocalDateTime.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../src/PaymentMethods.ts"
import { ReverseTransaction } from "../src/ReverseTransaction.ts"
import { Subscription, SubscriptionOfEvent } from "../src/Subscription.ts"
import { SubscriptionState } from "../src/SubscriptionState.ts"
import { Transaction, TransactionOfRetry, TransactionOfSubscription } from "../src/Transaction.ts"
import { Settlement } from "../src/Settlement.ts"
import { TransactionState } from "../src/TransactionState.ts"

const schemas = {
  AbecsReasonDenied,
  AddPayment,
  Address,
  BillingEvent,
  BillingRefusal,
  CardOfRetry,
  CardOfSubscription,
  CardOfTransaction,
  CardState,
  CompanyState,
  CreateManualSubscription,
  Customer,
  CustomerState,
  ErrorNode,
  LocalDate,
  LocalDateTime,
  PaymentMethodBoleto,
  PaymentMethodPix,
  ReverseTransaction,
  Settlement,
  Subscription,
  SubscriptionOfEvent,
  SubscriptionState,
  Transaction,
  TransactionOfRetry,
  TransactionOfSubscription,
  TransactionState
}

describe("every entity, state and command can be drawn, and read back from what was written", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    // A union of so many codecs is more than the compiler follows; each is one that needs nothing to encode.
    const codec = Schema.fromJsonString(Schema.toCodecJson(schema as Schema.Codec<unknown, unknown>))
    it.effect.prop(name, [schema as Schema.Codec<unknown, unknown>], ([value]) =>
      Effect.gen(function* () {
        const text = yield* Schema.encodeEffect(codec)(value)
        const back = yield* Schema.decodeEffect(codec)(text)
        assert.strictEqual(yield* Schema.encodeEffect(codec)(back), text)
      })
    )
  }
})
