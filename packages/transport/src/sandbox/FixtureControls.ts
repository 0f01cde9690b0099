/**
 * A control that creates the entities of a fixtures file.
 *
 * @since 0.1.0
 */
import { CreateCharge } from "@parcela/core/charges/Charge"
import { CreateCustomer } from "@parcela/core/customers/Customer"
import { CreatePlan } from "@parcela/core/plans/Plan"
import { CreateManualSubscription, CreateSubscription } from "@parcela/core/subscriptions/Subscription"
import { AddPayment } from "@parcela/core/transactions/PaymentRequests"
import { described } from "@parcela/core/values/Fields"
import { MyId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity, InterfaceNames } from "../contract/Operation.ts"
import { company, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Identity } from "./CompanyControls.ts"
import { NewEndpoint } from "./EndpointControls.ts"
import { endsAfterItBegins, NewFault } from "./ProviderControls.ts"
import { Instant } from "./Control.ts"

/** Maximum number of items of each kind. */
const maxItemsOfKind = 200

/** Entities that are identified by a unique `myId`. */
const entities = <S extends Schema.Constraint & { readonly Type: { readonly myId: MyId } }>(
  item: S,
  description: string
) =>
  described(
    Schema.optionalKey(
      Schema.Array(item).check(
        Schema.isMaxLength(maxItemsOfKind, { expected: `at most ${maxItemsOfKind} items` }),
        Schema.makeFilter(
          (items: ReadonlyArray<{ readonly myId: MyId }>) =>
            new Set(items.map(({ myId }) => myId)).size === items.length,
          { expected: "items of which each has a myId of its own" }
        )
      )
    ),
    description
  )

const named = Struct.assign({ myId: described(MyId, "Identifier of the report, by which a repeat is recognized.") })
const keepingChecks = { unsafePreserveChecks: true }

const FixturePayment = Schema.Struct({
  subscription: described(MyId, "myId of the subscription."),
  ...AddPayment.fields
})

const { call, fault, from, times, until } = NewFault.fields

const FixtureFault = Schema.Struct({ call, fault, times, from, until }).check(endsAfterItBegins)

const fixtures = {
  clock: described(
    Schema.optionalKey(Instant),
    "Time to which the company's clock is moved first, so that the dates of the file are in its future. A clock that is later is not moved."
  ),
  company: described(
    Schema.optionalKey(Identity),
    "The company's legal name, CNPJ and city, as PATCH /sandbox/companies/{clientId} takes them."
  ),
  plans: entities(CreatePlan.mapFields(named, keepingChecks), "As POST /plans takes them."),
  customers: entities(CreateCustomer.mapFields(named, keepingChecks), "As POST /customers takes them."),
  manualSubscriptions: entities(CreateManualSubscription, "As POST /subscriptions/manual takes them."),
  subscriptions: entities(CreateSubscription, "As POST /subscriptions takes them."),
  payments: entities(FixturePayment, "As they are added to a subscription, which is named by its myId."),
  charges: entities(CreateCharge, "As POST /charges takes them."),
  endpoints: described(
    Schema.optionalKey(Schema.Array(NewEndpoint).check(Schema.isMaxLength(20, { expected: "at most 20 items" }))),
    "Webhook endpoints, known again by their address."
  ),
  faults: described(
    Schema.optionalKey(
      Schema.Array(FixtureFault).check(
        Schema.isMaxLength(maxItemsOfKind, { expected: `at most ${maxItemsOfKind} items` })
      )
    ),
    "Faults of the company's requests to providers. One that is used up is planned again."
  )
}

/**
 * The entities that a company must have. The sandbox creates them in this order.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Fixtures = Schema.Struct(fixtures).annotate({ identifier: "Fixtures" })

/**
 * The result for one fixture.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Applied = Schema.Struct({
  kind: described(Schema.String, "The list of the file that it is in."),
  name: described(Schema.String, "Its myId, or what it is known by."),
  outcome: described(
    Schema.Literals(["created", "alreadyThere", "differs", "refused"]),
    "differs: something of that name is there, whose fields are others: it stays as it is."
  ),
  fields: described(Schema.optionalKey(Schema.Array(Schema.String)), "The difference."),
  problem: described(Schema.optionalKey(Schema.String), "Reason of the refusal.")
})

const request = {
  customers: [{ myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }],
  charges: [
    { myId: "order-1", value: 12990, payday: "2027-03-10", mainPaymentMethodId: "pix", Customer: { myId: "ana" } }
  ]
}

const response = {
  applied: [
    { kind: "customers", name: "ana", outcome: "alreadyThere" },
    { kind: "charges", name: "order-1", outcome: "created" }
  ]
}

/**
 * @category groups
 * @since 0.1.0
 */
export class FixturesGroup extends HttpApiGroup.make("fixtures")
  .add(
    HttpApiEndpoint.post("apply", `${company}/fixtures`, {
      params: ofCompany,
      payload: Fixtures,
      success: Schema.Struct({ applied: Schema.Array(Applied) }),
      error: [...errorsWithBody, wire.Conflict]
    }).annotateMerge(
      documented({
        operationId: "applyFixtures",
        summary: "Apply fixtures",
        description:
          "Makes what the body declares and the company has not, by the operations of the interface. Applied twice it changes nothing: what is there under its name stays, and what differs of it is named. Every fault of the body is named at once, and nothing is made then; what an operation refuses is named too, and the rest is made.",
        examples: { request, response }
      })
    )
  )
  .annotate(FaultEntity, "Fixtures")
  .annotate(InterfaceNames, true)
  .annotateMerge(
    OpenApi.annotations({ title: "Fixtures", description: "Entities that a company must have, from a file." })
  ) {}
