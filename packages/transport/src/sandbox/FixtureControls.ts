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
          { expected: "items with different myIds" }
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
    "Time to which the company's clock is advanced first, so that the dates of the file are in its future. A later clock does not change."
  ),
  company: described(
    Schema.optionalKey(Identity),
    "The company's legal name, CNPJ and city, as in PATCH /sandbox/companies/{clientId}."
  ),
  plans: entities(CreatePlan.mapFields(named, keepingChecks), "As in POST /plans."),
  customers: entities(CreateCustomer.mapFields(named, keepingChecks), "As in POST /customers."),
  manualSubscriptions: entities(CreateManualSubscription, "As in POST /subscriptions/manual."),
  subscriptions: entities(CreateSubscription, "As in POST /subscriptions."),
  payments: entities(FixturePayment, "Payments to add to a subscription, with the myId of the subscription."),
  charges: entities(CreateCharge, "As in POST /charges."),
  endpoints: described(
    Schema.optionalKey(Schema.Array(NewEndpoint).check(Schema.isMaxLength(20, { expected: "at most 20 items" }))),
    "Webhook endpoints. A repeat is recognized by the address."
  ),
  faults: described(
    Schema.optionalKey(
      Schema.Array(FixtureFault).check(
        Schema.isMaxLength(maxItemsOfKind, { expected: `at most ${maxItemsOfKind} items` })
      )
    ),
    "Injected failures of the company's requests to providers. A failure that has been used is planned again."
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
  kind: described(Schema.String, "The list of the file that contains the entity."),
  name: described(Schema.String, "Its myId, or another identifier."),
  outcome: described(
    Schema.Literals(["created", "alreadyThere", "differs", "refused"]),
    "differs: an entity with that name exists with other fields, and does not change."
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
          "Creates the entities of the body that the company does not have, by the operations of the interface. " +
          "A repeat changes nothing: existing entities do not change, and the response names those that differ. " +
          "If the body is invalid, the response lists every problem and nothing is created; if an operation " +
          "refuses an entity, the response names it and the others are created.",
        examples: { request, response }
      })
    )
  )
  .annotate(FaultEntity, "Fixtures")
  .annotate(InterfaceNames, true)
  .annotateMerge(
    OpenApi.annotations({ title: "Fixtures", description: "Entities that a company must have, from a file." })
  ) {}
