/**
 * Operations of a company's settings and of fixed lists: access tokens (interface section 4.2), webhook settings
 * (section 4.4), card brands and payment methods.
 *
 * @since 0.1.0
 */
import { scopeText, words } from "@parcela/core/companies/Scope"
import { translated } from "@parcela/core/language/Translation"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import { Settings } from "@parcela/engine/Settings"
import type { TokenGroup } from "@parcela/transport/contract/Token"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Operations } from "../Operation.ts"
import { type EditedWebhooks, WebhookEditing } from "@parcela/engine/webhooks/EndpointChanges"
import type { WebhooksGroup } from "@parcela/transport/contract/Webhooks"
import { cardBrands as brands } from "@parcela/core/cards/CardBrand"
import type { CardBrandsGroup, PaymentMethodsGroup } from "@parcela/transport/contract/PaymentMethods"
import { paymentMethods as methods } from "@parcela/core/paymentMethods/PaymentMethod"

/**
 * @category operations
 * @since 0.1.0
 */
export const tokens: Effect.Effect<Operations<typeof TokenGroup>, never, Tokens> = Effect.gen(function* () {
  const tokens = yield* Tokens
  const { naming } = yield* Settings
  // The interface limits the scope to 255 characters; other naming profiles return the whole scope.
  const isCut = naming.name === svcPay.name
  return {
    "token.token": ({ client, payload }) =>
      Effect.map(tokens.issue(client, words(payload.scope)), ({ lifetime, scopes, token }) => ({
        access_token: Redacted.value(token),
        token_type: "Bearer",
        expires_in: Duration.toSeconds(lifetime),
        scope: isCut ? scopeText(scopes) : scopes.join(" ")
      }))
  }
})

/**
 * @category operations
 * @since 0.1.0
 */
export const webhooks: Effect.Effect<Operations<typeof WebhooksGroup>, never, WebhookEditing> = Effect.map(
  WebhookEditing,
  (webhooks) => ({
    "webhooks.get": ({ client }) =>
      Effect.map(webhooks.get(client.companyId), ({ confirmHash, events, url }) => ({
        ...(url === undefined ? {} : { url }),
        confirmHash: Redacted.value(confirmHash),
        events
      })),
    "webhooks.edit": ({ client, payload, underKey }) =>
      underKey(
        ({ confirmHash, events }: EditedWebhooks) => ({
          type: true as const,
          confirmHash: Redacted.value(confirmHash),
          events
        }),
        (key) => webhooks.edit(client.companyId, payload, key)
      )
  })
)

/**
 * @category operations
 * @since 0.1.0
 */
export const cardBrands: Effect.Effect<Operations<typeof CardBrandsGroup>> = Effect.succeed({
  "cardBrands.list": () => Effect.succeed({ CardBrands: Object.values(brands) })
})

/**
 * @category operations
 * @since 0.1.0
 */
export const paymentMethods: Effect.Effect<Operations<typeof PaymentMethodsGroup>> = Effect.map(
  Settings,
  ({ language }) => {
    const named = methods.map(({ id, name }) => ({ id, name: translated(name, language) }))
    return { "paymentMethods.list": () => Effect.succeed({ PaymentMethods: named }) }
  }
)
