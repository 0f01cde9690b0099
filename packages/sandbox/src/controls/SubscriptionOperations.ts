/**
 * Stop a subscription and reactivate it, over HTTP.
 *
 * @since 0.1.0
 */
import { byMyId, type MyId } from "@parcela/core/values/Identifier"
import { SubscriptionChanges } from "@parcela/engine/usecases/SubscriptionChanges"
import type { Operations } from "@parcela/http/ContractRoutes"
import type { SubscriptionControlsGroup } from "@parcela/transport/sandbox/SubscriptionControls"
import * as Effect from "effect/Effect"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { companyIdOf } from "./Company.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof SubscriptionControlsGroup>,
  never,
  SandboxCompanies | SubscriptionChanges
> = Effect.gen(function* () {
  const changes = yield* SubscriptionChanges
  const companies = yield* SandboxCompanies

  const change = (name: "reactivate" | "stop") =>
    Effect.fnUntraced(function* (request: {
      readonly params: { readonly clientId: string }
      readonly payload: { readonly myId: MyId }
    }) {
      const companyId = yield* companyIdOf(companies, request)
      // Only a key is used again and replays a response, and a control has none.
      const asked = changes[name](companyId, byMyId(request.payload.myId))
      const changed = yield* Effect.catchTag(asked, "KeyReused", Effect.die)
      if (changed._tag === "Replayed") return yield* Effect.die(new Error("A control met a key"))
      return { status: changed.value.status }
    })

  return { "subscriptions.stop": change("stop"), "subscriptions.reactivate": change("reactivate") }
})
