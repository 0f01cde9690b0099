/**
 * Every operation of the interface, written by hand from its documentation. Tests of the contract, of its routes and of
 * its clients compare with this table: a table that is derived from the contract would always agree with it.
 */
import type { Scope } from "@parcela/core/companies/Scope"

type Row = readonly [method: "DELETE" | "GET" | "POST" | "PUT", path: string, operationId: string, scope?: Scope]

const rows = {
  "token.token": ["POST", "/token", "createToken"],
  "subscriptions.createManual": ["POST", "/subscriptions/manual", "createManualSubscription", "subscriptions.write"],
  "subscriptions.create": ["POST", "/subscriptions", "createSubscription", "subscriptions.write"],
  "subscriptions.edit": ["PUT", "/subscriptions/:subscriptionId/:typeId", "editSubscription", "subscriptions.write"],
  "subscriptions.cancel": [
    "DELETE",
    "/subscriptions/:subscriptionId/:typeId",
    "cancelSubscription",
    "subscriptions.write"
  ],
  "subscriptions.list": ["GET", "/subscriptions", "listSubscriptions", "subscriptions.read"],
  "transactions.list": ["GET", "/transactions", "listTransactions", "transactions.read"],
  "transactions.add": ["POST", "/transactions/:subscriptionId/:typeId/add", "addTransaction", "transactions.write"],
  "transactions.edit": ["PUT", "/transactions/:transactionId/:typeId", "editTransaction", "transactions.write"],
  "transactions.retry": ["PUT", "/transactions/:transactionId/:typeId/retry", "retryTransaction", "transactions.write"],
  "customers.list": ["GET", "/customers", "listCustomers", "customers.read"],
  "customers.create": ["POST", "/customers", "createCustomer", "customers.write"],
  "customers.edit": ["PUT", "/customers/:customerId/:typeId", "editCustomer", "customers.write"],
  "customers.deactivate": ["DELETE", "/customers/:customerId/:typeId", "deactivateCustomer", "customers.write"],
  "cards.list": ["GET", "/cards", "listCards", "cards.read"],
  "cards.add": ["POST", "/cards/:id/:typeId", "addCard", "cards.write"],
  "cards.remove": ["DELETE", "/cards/:id/:typeId", "removeCard", "cards.write"],
  "plans.list": ["GET", "/plans", "listPlans", "plans.read"],
  "plans.create": ["POST", "/plans", "createPlan", "plans.write"],
  "plans.edit": ["PUT", "/plans/:planId/:typeId", "editPlan", "plans.write"],
  "plans.deactivate": ["DELETE", "/plans/:planId/:typeId", "deactivatePlan", "plans.write"],
  "transactions.reverse": [
    "PUT",
    "/transactions/:transactionId/:typeId/reverse",
    "reverseTransaction",
    "transactions.write"
  ],
  "transactions.capture": [
    "PUT",
    "/transactions/:transactionId/:typeId/capture",
    "captureTransaction",
    "transactions.write"
  ],
  "transactions.cancel": ["DELETE", "/transactions/:transactionId/:typeId", "cancelTransaction", "transactions.write"],
  "charges.list": ["GET", "/charges", "listCharges", "charges.read"],
  "charges.create": ["POST", "/charges", "createCharge", "charges.write"],
  "charges.edit": ["PUT", "/charges/:chargeId/:typeId", "editCharge", "charges.write"],
  "charges.retry": ["PUT", "/charges/:chargeId/:typeId/retry", "retryCharge", "charges.write"],
  "charges.reverse": ["PUT", "/charges/:chargeId/:typeId/reverse", "reverseCharge", "charges.write"],
  "charges.capture": ["PUT", "/charges/:chargeId/:typeId/capture", "captureCharge", "charges.write"],
  "charges.cancel": ["DELETE", "/charges/:chargeId/:typeId", "cancelCharge", "charges.write"],
  "cardBrands.list": ["GET", "/card-brands", "listCardBrands", "card-brands.read"],
  "paymentMethods.list": ["GET", "/payment-methods", "listPaymentMethods", "payment-methods.read"],
  "webhooks.get": ["GET", "/webhooks", "getWebhooks", "webhooks.write"],
  "webhooks.edit": ["PUT", "/webhooks", "editWebhooks", "webhooks.write"]
} as const satisfies { readonly [operation: string]: Row }

/** The name of an operation in the OpenAPI document. */
export type OperationId = (typeof rows)[keyof typeof rows][2]

/** An operation: where it is under the base URL, and the scope that its token needs. `POST /token` takes credentials. */
export interface InterfaceOperation {
  /** `group.method`, as the contract and its clients have it. */
  readonly name: string
  readonly method: Row[0]
  /** With `:parameters`. */
  readonly path: string
  readonly operationId: OperationId
  readonly scope: Scope | undefined
}

export const interfaceOperations: ReadonlyArray<InterfaceOperation> = Object.entries(rows).map(
  ([name, [method, path, operationId, scope]]) => ({ name, method, path, operationId, scope })
)

/** The operation's path with an identifier in place of its parameters: `p` as a `myId`, or what is given. */
export const pathOf = ({ path }: InterfaceOperation, id: number | string = "p"): string =>
  path
    .replace(":typeId", typeof id === "number" ? "svcPayId" : "myId")
    .replaceAll(/:[A-Za-z]+/g, encodeURIComponent(String(id)))
