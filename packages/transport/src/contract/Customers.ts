/**
 * Customers. The interface contains them in subscriptions (2.2) and names their scopes; see
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { CreateCustomer, EditCustomer, Customer } from "@parcela/core/customers/Customer"
import { customerList } from "@parcela/core/lists/EntityLists"
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"
import { failureOf, pageFailure } from "./Examples.ts"

const CustomerResponse = Schema.Struct({
  type: done,
  Customer: described(Customer, "The customer.")
}).annotate({ identifier: "CustomerResponse", description: "The customer as it is now." })

const CustomerListResponse = page("Customers", Customer, {
  identifier: "CustomerListResponse",
  description: "A page of customers."
})

const request = {
  myId: "example-person",
  name: "Bruno Dias",
  document: "39053344705",
  emails: ["bruno@example.com"],
  phones: [11987651234],
  ExtraFields: [{ tagName: "SHIRT", tagValue: "M" }]
} as const

const customer = {
  svcPayId: 5,
  ...request,
  status: "withoutSubscriptionOrCharge",
  invoiceHoldIss: null,
  municipalDocument: null,
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00"
} as const

const notFound = {
  404: failureOf(
    "Customer.myId",
    "no customer of this company has that identifier: GET /customers lists all customers, POST /customers creates one"
  )
}

/**
 * @category groups
 * @since 0.1.0
 */
export class CustomersGroup extends HttpApiGroup.make("customers")
  .add(
    list("list", "/customers", {
      operationId: "listCustomers",
      scope: "customers.read",
      summary: "List customers",
      description: "Returns one page of customers with their status of today. The last page has fewer than limit.",
      definition: customerList,
      success: CustomerListResponse,
      examples: {
        response: { totalQtdFoundInPage: 1, Customers: [customer] },
        errors: { 400: pageFailure("Customer") }
      }
    }),
    write("POST", "create", "/customers", {
      operationId: "createCustomer",
      scope: "customers.write",
      summary: "Create customer",
      description:
        "Creates a customer without payments. A myId or a document of another customer is a 400: edit that " +
        "customer instead.",
      payload: CreateCustomer,
      success: CustomerResponse,
      examples: {
        request,
        response: { type: true, Customer: customer },
        errors: { 400: failureOf("Customer.document", "customer 5 already has this document") }
      }
    }),
    write("PUT", "edit", "/customers/:customerId/:typeId", {
      operationId: "editCustomer",
      scope: "customers.write",
      summary: "Edit customer",
      description: "Changes the fields that are present; lists are replaced as a whole.",
      params: entityPath("customer"),
      payload: EditCustomer,
      success: CustomerResponse,
      errors: [wire.NotFound],
      examples: {
        request: { name: "Bruno Dias Lima" },
        response: {
          type: true,
          Customer: { ...customer, name: "Bruno Dias Lima", updatedAt: "2026-11-20 10:05:00" }
        },
        errors: notFound
      }
    }),
    write("DELETE", "deactivate", "/customers/:customerId/:typeId", {
      operationId: "deactivateCustomer",
      scope: "customers.write",
      summary: "Deactivate customer",
      description:
        "Deactivates a customer, who remains in the list as inactive. Subscriptions and charges do not " +
        "change: cancel them first. A new subscription or charge of the customer activates the customer " +
        "again.",
      params: entityPath("customer"),
      success: DoneResponse,
      errors: [wire.NotFound],
      examples: { response: { type: true }, errors: notFound }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Customer")
  .annotateMerge(OpenApi.annotations({ title: "Customers", description: "The payer." })) {}
