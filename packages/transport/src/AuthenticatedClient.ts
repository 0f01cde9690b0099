/**
 * Who is asking: what authentication leaves behind for an operation.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Scope } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"

/**
 * The company whose credentials or token a request carries, and the scopes that they allow: for `/token` all that
 * the company may have, elsewhere those of the token.
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
