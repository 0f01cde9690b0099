/**
 * The authenticated client of a request, for operations.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Scope } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"

/**
 * The company whose credentials or token a request contains, and the allowed scopes: the token's scopes, or for
 * `/token` all scopes of the company.
 *
 * @category services
 * @since 0.1.0
 */
export class AuthenticatedClient extends Context.Service<
  AuthenticatedClient,
  {
    readonly companyId: CompanyId
    readonly scopes: ReadonlyArray<Scope>
  }
>()("@parcela/transport/AuthenticatedClient") {}
