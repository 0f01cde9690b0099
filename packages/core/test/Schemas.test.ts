import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  AbecsReasonDenied,
  Transaction,
  TransactionOfRetry,
  TransactionOfSubscription
} from "../src/transactions/Transaction.ts"
import { AddPayment, ReverseTransaction } from "../src/transactions/PaymentRequests.ts"
import { Address } from "../src/customers/CustomerInput.ts"
import { BillingRefusal } from "../src/errors/BillingRefusal.ts"
import { BillingEvent } from "../src/webhooks/BillingEvent.ts"
import { CardOfRetry, CardOfSubscription, CardOfTransaction } from "../src/cards/Card.ts"
import { CardState } from "../src/cards/CardDecider.ts"
import { CompanyState } from "../src/companies/CompanyState.ts"
import { CreateManualSubscription, Subscription, SubscriptionOfEvent } from "../src/subscriptions/Subscription.ts"
import { Customer } from "../src/customers/Customer.ts"
import { CustomerState } from "../src/customers/CustomerState.ts"
import { ErrorNode } from "../src/errors/ErrorDetails.ts"
import { LocalDate, LocalDateTime } from "../src/time/LocalDate.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../src/paymentMethods/PaymentMethod.ts"
import { SubscriptionState } from "../src/subscriptions/SubscriptionState.ts"
import { Settlement } from "../src/transactions/TransactionFields.ts"
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
