/**
 * Use case: change the webhook address and switch events on or off (interface section 4.4).
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Commands, type KeyUse } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/WriteSet.ts"
import type { EndpointContext } from "../ports/CommandStore.ts"
import type { EndpointSettings } from "../ports/WebhookEndpoints.ts"
import { Secrets } from "../authentication/Secrets.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { subjectOf } from "../workers/Continued.ts"
import { giveUpWork } from "../workers/UnwantedDeliveries.ts"
import type { Completed } from "./Completed.ts"

/**
 * What is switched on, and the company's `confirmHash`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedWebhooks {
  readonly confirmHash: Redacted.Redacted
  readonly events: ReadonlyArray<WebhookEvent>
}

/**
 * @category services
 * @since 0.1.0
 */
export class WebhookEditing extends Context.Service<
  WebhookEditing,
  {
    /** Replaces address and events; the endpoint is on then, and not failing. An edit to what stands writes nothing. */
    readonly edit: (
      companyId: CompanyId,
      command: EditWebhooks,
      key?: KeyUse<EditedWebhooks>
    ) => Effect.Effect<Completed<EditedWebhooks>, KeyReused | StoreError>
  }
>()("@parcela/engine/usecases/WebhookEditing") {
  static readonly layer: Layer.Layer<WebhookEditing, never, Commands | Secrets> = Layer.effect(
    WebhookEditing,
    Effect.gen(function* () {
      const commands = yield* Commands
      const secrets = yield* Secrets
      return WebhookEditing.of({
        edit: Effect.fn("WebhookEditing.edit")(function* (companyId, { events, url }, key) {
          const settings = { url, events: [...new Set(events)] }
          const edited = { confirmHash: yield* secrets.confirmHash(companyId), events: settings.events }
          const ran = yield* commands.run({
            load: "company",
            args: { companyId },
            key: key === undefined ? undefined : { _tag: "Store", ...key },
            decide: edit(companyId, settings, edited),
            missing: withoutCompany
          })
          // An earlier run under this key wrote these very settings, and a later edit may have replaced them since.
          return ran._tag === "Resumed" ? ({ _tag: "Done", value: edited } as const) : ran
        })
      })
    })
  )
}

const edit =
  <A>(companyId: CompanyId, settings: EndpointSettings, value: A) =>
  ({ defaultEndpoint, endpoints }: EndpointContext, { machine: at }: Times): Result.Result<Decided<A>> => {
    const known = endpoints.find(({ isDefault }) => isDefault)
    // Also what a run wrote whose commit was answered by silence.
    if (defaultEndpoint !== undefined && stands(defaultEndpoint, settings)) {
      return Result.succeed({ value, guards: [], changes: [], events: [], subject: "webhooks" })
    }
    return Result.succeed({
      value,
      guards: [],
      changes: [{ table: "webhook_endpoints", companyId, endpointId: known?.id, settings, at }],
      events: [{ _tag: "WebhooksEdited", ...settings }],
      // What was switched off is not sent any more, least of all to an address that never asked for it.
      schedule: known === undefined ? [] : [giveUpWork(companyId, subjectOf({ id: known.id }), at)],
      subject: "webhooks"
    })
  }

const stands = (
  endpoint: NonNullable<EndpointContext["defaultEndpoint"]>,
  { events, url }: EndpointSettings
): boolean =>
  endpoint.isOn &&
  endpoint.failures === 0 &&
  endpoint.url === url &&
  endpoint.events.length === events.length &&
  endpoint.events.every((event) => events.includes(event))

// A load fails without its company, so it is never missing.
const withoutCompany = (): never => {
  throw new Error("The company is not there")
}
