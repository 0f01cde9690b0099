/**
 * Subscriptions, also called contracts (interface section 4.1).
 *
 * @since 0.1.0
 */
import {
  CreateManualSubscription,
  EditSubscription,
  CreateSubscription,
  Subscription
} from "@parcela/core/subscriptions/Subscription"
import { described } from "@parcela/core/values/Fields"
import { subscriptionList } from "@parcela/core/lists/EntityLists"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import {
  customerRequest,
  failureOf,
  instalment,
  pageFailure,
  periodicSubscription,
  subscriptionOfEvent,
  transactionOfSubscription
} from "./Examples.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"

/**
 * Interface 4.1.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionResponse = Schema.Struct({
  type: done,
  Subscription: described(Subscription, "The subscription.")
}).annotate({ identifier: "SubscriptionResponse", description: "The subscription that was created." })

/**
 * A page of subscriptions.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionListResponse = page("Subscriptions", Subscription, {
  identifier: "SubscriptionListResponse",
  description: "A page of subscriptions."
})

const noSuchCustomer =
  "no customer of this company has that identifier: to create a customer, also send name, document and emails"

/**
 * @category groups
 * @since 0.1.0
 */
export class SubscriptionsGroup extends HttpApiGroup.make("subscriptions")
  .add(
    write("POST", "createManual", "/subscriptions/manual", {
      operationId: "createManualSubscription",
      scope: "subscriptions.write",
      summary: "Create manual subscription",
      description:
        "Creates a manual subscription (contract). It generates no transactions: add payments to it. A 404 " +
        "means that the named customer does not exist.",
      payload: CreateManualSubscription,
      success: SubscriptionResponse,
      errors: [wire.NotFound],
      examples: {
        request: {
          myId: "example-contract",
          mainPaymentMethodId: "creditcard",
          Customer: customerRequest,
          PaymentMethodCreditCard: {
            Card: {
              myId: "example-card",
              number: "4000000000000341",
              holder: "ANA LIMA",
              expiresAt: "2030-12",
              cvv: "123"
            }
          }
        },
        response: { type: true, Subscription: { ...subscriptionOfEvent, Transactions: [] } },
        errors: {
          404: failureOf("Customer.myId", noSuchCustomer)
        }
      }
    }),
    write("POST", "create", "/subscriptions", {
      operationId: "createSubscription",
      scope: "subscriptions.write",
      summary: "Create subscription",
      description:
        "Creates a subscription (contract) that is paid at regular intervals. Its instalments are created " +
        "ahead and each is due on its day. If the first one is due today, it is charged at once; a denial is " +
        "a 200 with status denied, so check Transactions[0].status. A 404 means that the named customer does " +
        "not exist.",
      payload: CreateSubscription,
      success: SubscriptionResponse,
      errors: [wire.NotFound],
      examples: {
        request: {
          myId: "example-monthly",
          value: 4990,
          quantity: 0,
          periodicity: "monthly",
          firstPayDayDate: "2031-01-31",
          mainPaymentMethodId: "creditcard",
          Customer: { myId: "example-customer" },
          PaymentMethodCreditCard: { Card: { myId: "example-card" } }
        },
        response: {
          type: true,
          Subscription: {
            ...periodicSubscription,
            Transactions: [{ ...instalment, payday: "2031-01-31" }]
          }
        },
        errors: {
          400: failureOf(
            "Subscription.firstPayDayDate",
            "instalment 1 would be due on 2026-11-19, which is in the past (today is 2026-11-20): send a later firstPayDayDate, or say in Transactions that it was paid outside the service"
          ),
          404: failureOf("Customer.myId", noSuchCustomer)
        }
      }
    }),
    write("PUT", "edit", "/subscriptions/:subscriptionId/:typeId", {
      operationId: "editSubscription",
      scope: "subscriptions.write",
      summary: "Edit subscription",
      description:
        "Changes the fields that are present. Value, payment method, card and plan apply to open payments " +
        "too, except those with an attempt under way. If a boleto or a Pix is registered, a new value gives " +
        "it a new slip or code a moment later. The response contains the open payments.",
      params: entityPath("subscription"),
      payload: EditSubscription,
      success: SubscriptionResponse,
      errors: [wire.NotFound],
      examples: {
        request: { value: 5990, additionalInfo: "New price from January on" },
        response: {
          type: true,
          Subscription: {
            ...periodicSubscription,
            value: 5990,
            additionalInfo: "New price from January on",
            Transactions: [{ ...instalment, value: 5990 }]
          }
        },
        errors: {
          400: failureOf("Subscription.value", "a manual subscription has no value and no plan: edit its payments"),
          404: failureOf("Subscription.myId", "no subscription of this company has that identifier")
        }
      }
    }),
    write("DELETE", "cancel", "/subscriptions/:subscriptionId/:typeId", {
      operationId: "cancelSubscription",
      scope: "subscriptions.write",
      summary: "Cancel subscription",
      description:
        "Cancels a subscription and its open payments, which become cancelByContract. A registered boleto or " +
        "Pix is withdrawn at its provider, which takes a moment. A payment with an attempt under way does not " +
        "change until the attempt has an outcome. A 404 means that the subscription does not exist, or that " +
        "it is canceled or closed already.",
      params: entityPath("subscription"),
      success: DoneResponse,
      errors: [wire.NotFound],
      examples: {
        response: { type: true },
        errors: {
          404: failureOf("Subscription.status", "the subscription is already canceled: there is nothing to cancel")
        }
      }
    }),
    list("list", "/subscriptions", {
      operationId: "listSubscriptions",
      scope: "subscriptions.read",
      summary: "List subscriptions",
      description: "Returns one page of subscriptions with their payments. The last page has fewer than limit.",
      definition: subscriptionList,
      success: SubscriptionListResponse,
      examples: {
        response: {
          totalQtdFoundInPage: 1,
          Subscriptions: [{ ...subscriptionOfEvent, Transactions: [transactionOfSubscription] }]
        },
        errors: { 400: pageFailure("Subscription") }
      }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Subscription")
  .annotateMerge(
    OpenApi.annotations({ title: "Subscriptions", description: "Contracts that payments are added to." })
  ) {}
