/**
 * The sandbox's controls as a contract of its own, separate from the billing interface, for test suites, users and
 * tools. A service for real payments does not serve these controls.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  ChargeLifecycleGroup,
  SubscriptionLifecycleGroup,
  TransactionLifecycleGroup
} from "../administration/AdministrationContract.ts"
import { ClosedBody } from "../contract/Operation.ts"
import { FaultsAsErrorNode } from "../Security.ts"
import { EventsGroup, RequestsGroup } from "./ActivityControls.ts"
import { ChargebacksGroup, TestCardsGroup } from "./CardControls.ts"
import { ClockGroup } from "./ClockControls.ts"
import { CompaniesGroup } from "./CompanyControls.ts"
import { ControlsAccess } from "./Control.ts"
import { DeliveriesGroup } from "./DeliveryControls.ts"
import { QuarantinedWorkGroup } from "./DueWorkControls.ts"
import { EndpointsGroup, SecretsGroup } from "./EndpointControls.ts"
import { FaultsGroup, LedgerGroup } from "./ProviderControls.ts"
import { FixturesGroup } from "./FixtureControls.ts"
import { PaymentsGroup } from "./PaymentControls.ts"
import { SnapshotsGroup } from "./SnapshotControls.ts"

/**
 * The operations under a base URL that includes `/sandbox`. Clients are derived from this value.
 *
 * @category apis
 * @since 0.1.0
 */
export const SandboxOperations = HttpApi.make("sandbox")
  .add(
    CompaniesGroup,
    SnapshotsGroup,
    FixturesGroup,
    ClockGroup,
    RequestsGroup,
    EventsGroup,
    LedgerGroup,
    TestCardsGroup,
    FaultsGroup,
    PaymentsGroup,
    ChargebacksGroup,
    QuarantinedWorkGroup,
    SubscriptionLifecycleGroup,
    TransactionLifecycleGroup,
    ChargeLifecycleGroup,
    EndpointsGroup,
    SecretsGroup,
    DeliveriesGroup
  )
  .middleware(FaultsAsErrorNode)
  .middleware(ControlsAccess)
  .annotate(ClosedBody, true)
  .annotateMerge(
    OpenApi.annotations({
      title: "Parcela sandbox",
      version: "1",
      summary: "Controls of a Parcela sandbox: companies and their clocks, simulated providers, webhooks.",
      description:
        "For programs on the sandbox's own machine. If a controls token is set (PARCELA_CONTROLS_TOKEN), " +
        "every request needs it as Authorization: Bearer and may come from any address. Every failing " +
        "response has an error node; error.details lists every problem.",
      license: { name: "MIT", identifier: "MIT" }
    })
  )

/**
 * The operations under `/sandbox`, for servers.
 *
 * @category apis
 * @since 0.1.0
 */
export const SandboxContract = SandboxOperations.prefix("/sandbox")
