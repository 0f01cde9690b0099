import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AbecsReasonDenied } from "../src/cards/AbecsReasonDenied.ts"
import { AddPayment } from "../src/transactions/AddPayment.ts"
import { Address } from "../src/customers/Address.ts"
import { BillingRefusal } from "../src/errors/BillingRefusal.ts"
import { BillingEvent } from "../src/webhooks/BillingEvent.ts"
import { CardOfRetry, CardOfSubscription, CardOfTransaction } from "../src/cards/Card.ts"
import { CardState } from "../src/cards/CardState.ts"
import { CompanyState } from "../src/companies/CompanyState.ts"
import { CreateManualSubscription } from "../src/subscriptions/CreateManualSubscription.ts"
import { Customer } from "../src/customers/Customer.ts"
import { CustomerState } from "../src/customers/CustomerState.ts"
import { ErrorNode } from "../src/errors/ErrorNode.ts"
import { LocalDate } from "../src/time/LocalDate.ts"
import { LocalDateTime } from "../src/time/LocalDateTime.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../src/paymentMethods/PaymentMethods.ts"
import { ReverseTransaction } from "../src/transactions/ReverseTransaction.ts"
import { Subscription, SubscriptionOfEvent } from "../src/subscriptions/Subscription.ts"
import { SubscriptionState } from "../src/subscriptions/SubscriptionState.ts"
import { Transaction, TransactionOfRetry, TransactionOfSubscription } from "../src/transactions/Transaction.ts"
import { Settlement } from "../src/transactions/Settlement.ts"
import { TransactionState } from "../src/transactions/TransactionState.ts"

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

describe("every entity, state and command can be generated, and decoded from its encoded form", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    // The compiler cannot follow a union of this many codecs; each codec encodes without services.
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
