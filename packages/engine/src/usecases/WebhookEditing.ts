/**
 * Use case: see and change the webhook address, and switch events on or off (interface section 4.4).
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { RefusedBy } from "@parcela/core/errors/BillingError"
import type { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import { editDefault } from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { EndpointSettings } from "@parcela/core/webhooks/WebhookEndpointState"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Commands, type KeyUse, neverMissing, storing } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { EndpointsContext } from "../loads/WebhookContexts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { type CommandOutcome, done } from "../commands/CommandOutcome.ts"
import { checkUrl, decided } from "./EndpointChanges.ts"

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
 * The settings as they are; no address before one is set.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookSettings extends EditedWebhooks {
  readonly url: string | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class WebhookEditing extends Context.Service<
  WebhookEditing,
  {
    /** What the default endpoint is set to. */
    readonly get: (companyId: CompanyId) => Effect.Effect<WebhookSettings, StoreError>
    /** Replaces address and events. */
    readonly edit: (
      companyId: CompanyId,
      command: EditWebhooks,
      key?: KeyUse<EditedWebhooks>
    ) => Effect.Effect<CommandOutcome<EditedWebhooks>, RefusedBy<"WebhookUrlNotAllowed"> | KeyReused | StoreError>
  }
>()("@parcela/engine/usecases/WebhookEditing") {
  static readonly layer: Layer.Layer<WebhookEditing, never, Commands | Secrets | WebhookEndpoints> = Layer.effect(
    WebhookEditing,
    Effect.gen(function* () {
      const commands = yield* Commands
      const secrets = yield* Secrets
      const endpoints = yield* WebhookEndpoints
      return WebhookEditing.of({
        get: Effect.fn("WebhookEditing.get")(function* (companyId) {
          const found = (yield* endpoints.ofCompany(companyId)).find(({ isDefault }) => isDefault)
          return { url: found?.url, confirmHash: yield* secrets.confirmHash(companyId), events: found?.events ?? [] }
        }),
        edit: Effect.fn("WebhookEditing.edit")(function* (companyId, { events, url }, key) {
          yield* checkUrl(url)
          const settings = { url, events: [...new Set(events)] }
          const value = { confirmHash: yield* secrets.confirmHash(companyId), events: settings.events }
          const ran = yield* commands.run({
            load: "endpoints",
            args: { companyId },
            key: storing(key),
            decide: edit(companyId, settings, value),
            missing: neverMissing
          })
          // An earlier run under this key wrote these very settings, and a later edit may have replaced them since.
          return ran._tag === "Resumed" ? done(value) : ran
        })
      })
    })
  )
}

const edit =
  <A>(companyId: CompanyId, settings: EndpointSettings, value: A) =>
  (found: EndpointsContext, { machine: now }: Times): Result.Result<Decided<A>> => {
    const before = found.known.find(({ state }) => state.isDefault)
    const decision = editDefault(before?.state, settings, { id: found.nextId, companyId, now })
    return Result.succeed({ ...decided(found, decision, true), value, subject: "webhooks" })
  }
