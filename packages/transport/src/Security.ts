/**
 * Authentication of requests (interface section 5). The contract declares the schemes; the server provides layers that
 * check credentials, and the client provides layers that send them.
 *
 * @since 0.1.0
 */
import type { Scope } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "./ApiError.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"

/**
 * Annotation of an endpoint: the scope that its token needs (interface section 5, point 3).
 *
 * @category annotations
 * @since 0.1.0
 */
export class RequiredScope extends Context.Service<RequiredScope, Scope>()("@parcela/transport/RequiredScope") {}

const basic = HttpApiSecurity.annotate(
  HttpApiSecurity.basic,
  OpenApi.Description,
  "Client id and client secret of a company."
)

const bearer = HttpApiSecurity.annotate(
  HttpApiSecurity.bearer,
  OpenApi.Description,
  "An access token of POST /token. It has scopes and is valid for expires_in seconds."
)

/**
 * HTTP Basic with client id and client secret, for `POST /token`.
 *
 * @category middleware
 * @since 0.1.0
 */
export class ClientCredentials extends HttpApiMiddleware.Service<
  ClientCredentials,
  { provides: AuthenticatedClient }
>()("@parcela/transport/ClientCredentials", {
  security: {
    clientCredentials: basic
  },
  error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden, wire.TooManyRequests, wire.Unavailable]
}) {}

/**
 * `Authorization: Bearer` with a token of `POST /token`, for every other operation.
 *
 * @category middleware
 * @since 0.1.0
 */
export class BearerToken extends HttpApiMiddleware.Service<BearerToken, { provides: AuthenticatedClient }>()(
  "@parcela/transport/BearerToken",
  {
    security: {
      bearerToken: bearer
    },
    error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden, wire.Unavailable]
  }
) {}

/**
 * Turns a request that does not fit the contract into a 400 with every problem by `Entity.field`.
 *
 * @category middleware
 * @since 0.1.0
 */
export class FaultsAsErrorNode extends HttpApiMiddleware.Service<FaultsAsErrorNode>()(
  "@parcela/transport/FaultsAsErrorNode",
  { error: wire.BadRequest }
) {}

/**
 * Implements the `Idempotency-Key` header of writes (IETF draft-ietf-httpapi-idempotency-key-header): the same key with
 * the same request returns the same response, also after a restart.
 *
 * @category middleware
 * @since 0.1.0
 */
export class IdempotentWrite extends HttpApiMiddleware.Service<IdempotentWrite, { requires: AuthenticatedClient }>()(
  "@parcela/transport/IdempotentWrite",
  { error: [wire.BadRequest, wire.Unprocessable] }
) {}

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
