/**
 * The companies of a sandbox: a default company, and more on demand, so that concurrent test suites do not share data.
 *
 * @since 0.1.0
 */
import type { CompanyState } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { Scope } from "@parcela/core/companies/Scope"
import { Companies } from "@parcela/engine/ports/Companies"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { NotFound } from "@parcela/transport/ApiError"

/**
 * Everything that an integrator needs to use the sandbox as a company.
 *
 * @category models
 * @since 0.1.0
 */
export interface Keys {
  readonly companyId: CompanyState["id"]
  readonly clientId: string
  readonly confirmHash: Redacted.Redacted
  /** The newest secret of the endpoint that `PUT /webhooks` edits. */
  readonly webhookSecret: Redacted.Redacted
}

/**
 * The fields of a new company.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyOptions extends Pick<CompanyState, "name" | "legalName" | "document" | "city"> {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** All scopes by default. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  /** Empty, the default, allows any address. */
  readonly allowedAddresses?: ReadonlyArray<string> | undefined
}

/**
 * Another company has the client id.
 *
 * @category errors
 * @since 0.1.0
 */
export class ClientIdTaken extends Schema.TaggedError<ClientIdTaken>()("ClientIdTaken", { clientId: Schema.String }) {
  override get message() {
    return `"${this.clientId}" is already in use`
  }
}

/**
 * @category services
 * @since 0.1.0
 */
export class SandboxCompanies extends Context.Service<
  SandboxCompanies,
  {
    /** Creates a company with these credentials. Of two concurrent calls, also on two servers, only one succeeds. */
    readonly create: (company: CompanyOptions) => Effect.Effect<Keys, ClientIdTaken | StoreError>
    /** Returns the company with these credentials after replacing its secret, or creates it. */
    readonly ensure: (company: CompanyOptions) => Effect.Effect<Keys, StoreError>
    readonly find: (clientId: string) => Effect.Effect<Option.Option<Keys>, StoreError>
  }
>()("@parcela/sandbox/SandboxCompanies") {
  static readonly layer: Layer.Layer<SandboxCompanies, never, Companies | EndpointManagement | Secrets> = Layer.effect(
    SandboxCompanies,
    Effect.gen(function* () {
      const companies = yield* Companies
      const management = yield* EndpointManagement
      const secrets = yield* Secrets

      const keysOf = Effect.fnUntraced(function* (companyId: CompanyState["id"], clientId: string) {
        return {
          companyId,
          clientId,
          confirmHash: yield* secrets.confirmHash(companyId),
          webhookSecret: WebhookSecret.format(yield* management.currentSecret(companyId))
        }
      })

      const hashOf = ({ clientSecret }: CompanyOptions) => secrets.hash("client secret", Redacted.value(clientSecret))

      /** Returns none if the client id is taken, also by a concurrent request. */
      const insert = Effect.fnUntraced(function* (company: CompanyOptions, secretHash: string) {
        const { allowedAddresses = [], clientId, clientSecret: _, scopes = Scope.literals, ...payee } = company
        const createdAt = MachineTime.make(yield* Clock.currentTimeMillis)
        const state = { ...payee, scopes, allowedAddresses, createdAt }
        if (Option.isSome(yield* companies.findCredential(clientId))) return Option.none()
        return yield* companies.insertWithCredential(state, { clientId, secretHash }).pipe(
          Effect.map(({ id }) => Option.some(id)),
          Effect.catchIf(isConflict, () => Effect.succeedNone)
        )
      })

      const create = Effect.fn("SandboxCompanies.create")(function* (company: CompanyOptions) {
        const { clientId } = company
        const made = yield* insert(company, yield* hashOf(company))
        return Option.isSome(made) ? yield* keysOf(made.value, clientId) : yield* new ClientIdTaken({ clientId })
      })

      const ensure = Effect.fn("SandboxCompanies.ensure")(function* (company: CompanyOptions) {
        const { clientId } = company
        const secretHash = yield* hashOf(company)
        const made = yield* insert(company, secretHash)
        if (Option.isSome(made)) return yield* keysOf(made.value, clientId)
        // Credentials are never removed.
        const known = Option.getOrThrow(yield* companies.findCredential(clientId))
        yield* companies.putCredential({ ...known, secretHash })
        return yield* keysOf(known.companyId, clientId)
      })

      const find = Effect.fn("SandboxCompanies.find")(function* (clientId: string) {
        const known = yield* companies.findCredential(clientId)
        return Option.isSome(known) ? Option.some(yield* keysOf(known.value.companyId, clientId)) : Option.none()
      })

      return SandboxCompanies.of({ create, ensure, find })
    })
  )
}

const isConflict = ({ reason }: StoreError): boolean => reason._tag === "Conflict"

/** Returns the company with a client id, or fails with a 404. */
export const keysOf = Effect.fnUntraced(function* (companies: SandboxCompanies["Service"], clientId: string) {
  const found = yield* companies.find(clientId)
  return Option.isSome(found)
    ? found.value
    : yield* new NotFound({ message: `The sandbox has no company with the client id "${clientId}"` })
})

/** Returns the number of the company in a path. */
export const companyIdOf = (
  companies: SandboxCompanies["Service"],
  { params }: { readonly params: { readonly clientId: string } }
) => Effect.map(keysOf(companies, params.clientId), ({ companyId }) => companyId)

/** Returns an object with the key, or an empty object for an undefined value. */
export const present = <K extends string, A>(key: K, value: A | undefined): { readonly [P in K]?: A } =>
  // TypeScript types a computed key as `string`.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: A }
