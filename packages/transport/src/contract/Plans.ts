/**
 * Plans of subscriptions. The interface names only their scopes; see `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { planList } from "@parcela/core/lists/EntityLists"
import { Plan, CreatePlan, EditPlan } from "@parcela/core/plans/Plan"
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"
import { failureOf, pageFailure } from "./Examples.ts"

const PlanResponse = Schema.Struct({
  type: done,
  Plan: described(Plan, "The plan.")
}).annotate({ identifier: "PlanResponse", description: "The plan as it is now." })

const PlanListResponse = page("Plans", Plan, { identifier: "PlanListResponse", description: "A page of plans." })

const request = {
  myId: "example-plan",
  name: "Monthly box",
  periodicity: "monthly",
  quantity: 12,
  PlanPrices: [
    { payment: "creditcard", value: 12990 },
    { payment: "pix", value: 11990 }
  ]
} as const

const plan = {
  svcPayId: 1,
  myId: request.myId,
  name: request.name,
  periodicity: request.periodicity,
  quantity: request.quantity,
  additionalInfo: null,
  contract: null,
  PlanPrices: request.PlanPrices.map((price) => ({ ...price, installment: null })),
  status: "active",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00"
} as const

const notFound = { 404: failureOf("Plan.myId", "no plan of this company has that identifier") }

/**
 * @category groups
 * @since 0.1.0
 */
export class PlansGroup extends HttpApiGroup.make("plans")
  .add(
    list("list", "/plans", {
      operationId: "listPlans",
      scope: "plans.read",
      summary: "List plans",
      description: "Returns one page of plans. The last page has fewer than limit.",
      definition: planList,
      success: PlanListResponse,
      examples: {
        response: { totalQtdFoundInPage: 1, Plans: [plan] },
        errors: { 400: pageFailure("Plan") }
      }
    }),
    write("POST", "create", "/plans", {
      operationId: "createPlan",
      scope: "plans.write",
      summary: "Create plan",
      description: "Creates a plan with a price for each payment method that its subscriptions can use.",
      payload: CreatePlan,
      success: PlanResponse,
      examples: {
        request,
        response: { type: true, Plan: plan },
        errors: { 400: failureOf("Plan.myId", '"example-plan" is already in use') }
      }
    }),
    write("PUT", "edit", "/plans/:planId/:typeId", {
      operationId: "editPlan",
      scope: "plans.write",
      summary: "Edit plan",
      description:
        "Changes the fields that are present. PlanPrices replace all prices. Subscriptions that were made from the plan do not change.",
      params: entityPath("plan"),
      payload: EditPlan,
      success: PlanResponse,
      errors: [wire.NotFound],
      examples: {
        request: { PlanPrices: [{ payment: "creditcard", value: 13990 }] },
        response: {
          type: true,
          Plan: {
            ...plan,
            PlanPrices: [{ payment: "creditcard", value: 13990, installment: null }],
            updatedAt: "2026-11-20 10:05:00"
          }
        },
        errors: notFound
      }
    }),
    write("DELETE", "deactivate", "/plans/:planId/:typeId", {
      operationId: "deactivatePlan",
      scope: "plans.write",
      summary: "Deactivate plan",
      description:
        "Deactivates a plan: no subscription can be created from it. Its subscriptions continue, and it " +
        "remains in the list as inactive.",
      params: entityPath("plan"),
      success: DoneResponse,
      errors: [wire.NotFound],
      examples: { response: { type: true }, errors: notFound }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Plan")
  .annotateMerge(OpenApi.annotations({ title: "Plans", description: "Plans from which subscriptions are created." })) {}
