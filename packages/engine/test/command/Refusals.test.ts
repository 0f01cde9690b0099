import { it } from "@effect/vitest"
import { type BillingError, type RefusedBy, refuse } from "@parcela/core/errors/BillingError"
import type { RefusalsOf } from "@parcela/engine/command/Decided"
import type { ChargeManagement } from "@parcela/engine/charges/Charges"
import type { CustomerManagement } from "@parcela/engine/customers/Customers"
import type { Payments } from "@parcela/engine/payments/Payments"
import type { PlanManagement } from "@parcela/engine/plans/Plans"
import type { SubscriptionChanges, SubscriptionEditing } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { type Effect, Result } from "effect"
import { describe, expectTypeOf } from "vitest"

type TagsOf<UseCase> = RefusalsOf<UseCase>["refusal"]["_tag"]

/** The refusals of every command on a payment: it may be given by its charge, and its provider may deny it. */
type OfAnyPayment = "ChargeNotFound" | "DeniedByProvider" | "TransactionNotFound"

describe("the type of a use case", () => {
  it("contains exactly its refusals", () => {
    expectTypeOf<TagsOf<Payments["Service"]["retry"]>>().toEqualTypeOf<
      OfAnyPayment | "AttemptPending" | "CardMissing" | "NotRetriable" | "RetryNever" | "RetryTooEarly"
    >()
    expectTypeOf<TagsOf<Payments["Service"]["capture"]>>().toEqualTypeOf<
      OfAnyPayment | "AttemptPending" | "TransactionCannot"
    >()
    expectTypeOf<TagsOf<SubscriptionChanges["Service"]["stop"]>>().toEqualTypeOf<
      "SubscriptionCannot" | "SubscriptionNotFound"
    >()
    expectTypeOf<TagsOf<PlanManagement["Service"]["create"]>>().toEqualTypeOf<"MyIdTaken">()
    expectTypeOf<TagsOf<CustomerManagement["Service"]["edit"]>>().toEqualTypeOf<
      "AddressIncomplete" | "CustomerUnknown" | "DocumentTaken" | "MyIdTaken"
    >()
  })

  it("of a charge equals that of its payment", () => {
    type OfPayments = Payments["Service"]
    type OfCharges = ChargeManagement["Service"]
    expectTypeOf<ReturnType<OfCharges["retry"]>>().toEqualTypeOf<ReturnType<OfPayments["retry"]>>()
    expectTypeOf<ReturnType<OfCharges["reverse"]>>().toEqualTypeOf<ReturnType<OfPayments["reverse"]>>()
  })

  it("never contains all refusals", () => {
    type Any = BillingError["refusal"]["_tag"]
    expectTypeOf<Any>().not.toEqualTypeOf<TagsOf<Payments["Service"]["edit"]>>()
    expectTypeOf<Any>().not.toEqualTypeOf<TagsOf<ChargeManagement["Service"]["create"]>>()
    expectTypeOf<Any>().not.toEqualTypeOf<TagsOf<SubscriptionEditing["Service"]["edit"]>>()
  })
})

describe("RefusalsOf", () => {
  it("reads refusals, results, effects, and functions that return them", () => {
    const decide = (isLate: boolean) => () =>
      isLate ? Result.fail(refuse({ _tag: "PlanInactive" })) : Result.fail(refuse({ _tag: "CardMissing" }))
    type Run = (id: number) => Effect.Effect<void, RefusedBy<"CardInUse"> | TypeError>
    expectTypeOf<TagsOf<typeof decide>>().toEqualTypeOf<"CardMissing" | "PlanInactive">()
    expectTypeOf<TagsOf<Run | typeof decide>>().toEqualTypeOf<"CardInUse" | "CardMissing" | "PlanInactive">()
    expectTypeOf<RefusalsOf<() => number>>().toEqualTypeOf<never>()
  })
})
