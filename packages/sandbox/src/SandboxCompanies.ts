/**
 * The companies of a sandbox: one that is ready from the start, and more on demand, so that test suites that run at
 * the same time do not meet.
 *
 * @since 0.1.0
 */
import type { CompanyState } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { Scope } from "@parcela/core/Scope"
import { Companies } from "@parcela/engine/Companies"
import { Secrets } from "@parcela/engine/Secrets"
import type { StoreError } from "@parcela/engine/StoreError"
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/**
 * All that an integrator needs to talk to the sandbox as a company.
 *
 * @category models
 * @since 0.1.0
 */
export interface Keys {
  readonly companyId: CompanyState["id"]
  readonly clientId: string
  readonly confirmHash: Redacted.Redacted
  readonly webhookSecret: Redacted.Redacted
}

/**
 * @category services
 * @since 0.1.0
 */
export class SandboxCompanies extends Context.Service<
  SandboxCompanies,
  {
    /** A company with these credentials: the one that has them, with its secret replaced, or a new one. */
    readonly ensure: (company: {
      readonly name: string
      readonly clientId: string
      readonly clientSecret: Redacted.Redacted
      readonly scopes?: ReadonlyArray<Scope> | undefined
      readonly allowedAddresses?: ReadonlyArray<string> | undefined
    }) => Effect.Effect<Keys, StoreError>
    readonly find: (clientId: string) => Effect.Effect<Option.Option<Keys>, StoreError>
  }
>()("@parcela/sandbox/SandboxCompanies") {
  static readonly layer: Layer.Layer<SandboxCompanies, never, Companies | Secrets | UnitOfWork> = Layer.effect(
    SandboxCompanies,
    Effect.gen(function* () {
      const companies = yield* Companies
      const secrets = yield* Secrets
      const unitOfWork = yield* UnitOfWork

      const keysOf = Effect.fnUntraced(function* (companyId: CompanyState["id"], clientId: string) {
        return {
          companyId,
          clientId,
          confirmHash: yield* secrets.confirmHash(companyId),
          webhookSecret: WebhookSecret.format(yield* secrets.signingSecret(companyId))
        }
      })

      const ensure = Effect.fn("SandboxCompanies.ensure")(function* (company: {
        readonly name: string
        readonly clientId: string
        readonly clientSecret: Redacted.Redacted
        readonly scopes?: ReadonlyArray<Scope> | undefined
        readonly allowedAddresses?: ReadonlyArray<string> | undefined
      }) {
        const { allowedAddresses, clientId, clientSecret, name, scopes } = company
        const secretHash = yield* secrets.hash("client secret", Redacted.value(clientSecret))
        const companyId = yield* unitOfWork.transact(
          Effect.gen(function* () {
            const known = yield* companies.findCredential(clientId)
            const companyId = Option.isSome(known)
              ? known.value.companyId
              : (yield* companies.insert({
                  name,
                  scopes: scopes ?? Scope.literals,
                  allowedAddresses: allowedAddresses ?? [],
                  createdAt: EpochMillis.make(yield* Clock.currentTimeMillis)
                })).id
            yield* companies.putCredential({ clientId, secretHash, companyId })
            return companyId
          })
        )
        return yield* keysOf(companyId, clientId)
      })

      const find = Effect.fn("SandboxCompanies.find")(function* (clientId: string) {
        const known = yield* companies.findCredential(clientId)
        return Option.isSome(known) ? Option.some(yield* keysOf(known.value.companyId, clientId)) : Option.none()
      })

      return SandboxCompanies.of({ ensure, find })
    })
  )
}
