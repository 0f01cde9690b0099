/**
 * Use cases: issue an access token for credentials, and authenticate a token (interface section 5).
 *
 * @since 0.1.0
 */
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { grant, type Scope, scopeText } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { NotAllowed, NotAuthenticated, type TooManyFailedLogins } from "./AccessDenied.ts"
import { machineNow, machineTimeOf } from "../ports/WriteContext.ts"
import { AccessTokens, type TokenWithCompany } from "../ports/AccessTokens.ts"
import { Companies } from "../ports/Companies.ts"
import { ExpiringMap } from "./ExpiringMap.ts"
import { FailedLoginLimit } from "./FailedLoginLimit.ts"
import { Secrets } from "./Secrets.ts"
import { Settings } from "../Settings.ts"
import * as Spans from "../Spans.ts"
import type { StoreError } from "../ports/StoreError.ts"

/** Every process sees changes of companies and tokens in the store within this time. In milliseconds. */
const cacheLifetime = 5_000

/** The prefix of an IPv4 address on a server that also listens on IPv6 (RFC 4291, section 2.5.5.2). */
const mappedIpv4 = /^::ffff:(?=\d+\.)/i

const inWords = (duration: Duration.Duration): string => {
  const minutes = Duration.toMinutes(duration)
  if (!Number.isInteger(minutes)) return Duration.format(duration)
  return minutes === 1 ? "1 minute" : `${minutes} minutes`
}

/**
 * @category models
 * @since 0.1.0
 */
export interface IssuedToken {
  readonly token: Redacted.Redacted
  readonly scopes: ReadonlyArray<Scope>
  readonly lifetime: Duration.Duration
}

/**
 * The company (tenant) of an authenticated request, and the scopes of the request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bearer {
  readonly companyId: CompanyId
  /** The client id whose credentials issued the token. */
  readonly clientId: string
  readonly scopes: ReadonlyArray<Scope>
}

/**
 * @category services
 * @since 0.1.0
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /**
     * Authenticates credentials. Returns their company with all scopes that it may have. The company's data may be 5 s
     * old.
     */
    readonly identify: (
      clientId: string,
      clientSecret: Redacted.Redacted,
      address: Option.Option<string>
    ) => Effect.Effect<Bearer, NotAuthenticated | NotAllowed | TooManyFailedLogins | StoreError>
    /**
     * Issues a token with the requested scopes that the company may have. An empty request selects all scopes that need
     * no explicit request.
     */
    readonly issue: (
      company: Bearer,
      requested: ReadonlyArray<string>
    ) => Effect.Effect<IssuedToken, NotAllowed | StoreError>
    /**
     * Returns the bearer of a token. The token itself is hashed at once and never stored. Changes of the company or its
     * tokens take effect within 5 s.
     */
    readonly authenticate: (
      token: string,
      address: Option.Option<string>
    ) => Effect.Effect<Bearer, NotAuthenticated | NotAllowed | StoreError>
    /** Deletes at most `limit` expired tokens. Returns their number. */
    readonly deleteExpired: (limit: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/authentication/Tokens") {
  static readonly layer: Layer.Layer<Tokens, never, AccessTokens | Companies | FailedLoginLimit | Secrets> =
    Layer.effect(
      Tokens,
      Effect.gen(function* () {
        const parts: Parts = {
          accessTokens: yield* AccessTokens,
          companies: yield* Companies,
          failedLogins: yield* FailedLoginLimit,
          secrets: yield* Secrets,
          tokenLifetime: (yield* Settings).tokenLifetime,
          known: new ExpiringMap(cacheLifetime),
          tokens: new ExpiringMap(cacheLifetime)
        }
        return Tokens.of({
          identify: (...credentials) => identify(parts, ...credentials),
          issue: (company, requested) => issue(parts, company, requested),
          authenticate: (token, address) => authenticate(parts, token, address),
          deleteExpired: (limit) => Effect.flatMap(machineNow, (now) => parts.accessTokens.deleteExpired(now, limit))
        })
      })
    )
}

interface Parts {
  readonly accessTokens: AccessTokens["Service"]
  readonly companies: Companies["Service"]
  readonly failedLogins: FailedLoginLimit["Service"]
  readonly secrets: Secrets["Service"]
  readonly tokenLifetime: Duration.Duration
  /** Companies with recently verified credentials. */
  readonly known: ExpiringMap<CompanyId, CompanyState>
  /** Recently verified tokens by digest. Addresses are checked for every request. */
  readonly tokens: ExpiringMap<string, TokenWithCompany>
}

const checkAddress = (allowed: ReadonlyArray<string>, address: Option.Option<string>) =>
  allowed.length === 0 || Option.exists(address, (from) => allowed.includes(from.replace(mappedIpv4, "")))
    ? Effect.void
    : Effect.fail(new NotAllowed({ message: "This address is not on the company's list of allowed addresses" }))

const companyOf = Effect.fnUntraced(function* (
  parts: Parts,
  clientId: string,
  clientSecret: Redacted.Redacted
): Effect.fn.Return<CompanyState, NotAuthenticated | StoreError> {
  const credential = yield* parts.companies.findCredential(clientId)
  // An unknown client id costs the same time as a known one, so the response time does not reveal which ids exist.
  const hash = Option.match(credential, { onNone: () => "00".repeat(32), onSome: (row) => row.secretHash })
  const isRight = yield* parts.secrets.matches("client secret", Redacted.value(clientSecret), hash)
  return Option.isNone(credential) || !isRight
    ? yield* new NotAuthenticated({ message: "Client id or client secret is wrong" })
    : yield* knownCompany(parts, credential.value.companyId)
})

const knownCompany = ({ companies, known }: Parts, companyId: CompanyId): Effect.Effect<CompanyState, StoreError> =>
  Effect.flatMap(machineNow, (now) => {
    const recent = known.get(companyId, now)
    if (recent !== undefined) return Effect.succeed(recent)
    return Effect.map(companies.find(companyId), (found) => {
      const company = Option.getOrThrow(found)
      known.set(companyId, company, now)
      return company
    })
  })

const identify = Spans.fn("Tokens.identify")((
  parts: Parts,
  clientId: string,
  clientSecret: Redacted.Redacted,
  address: Option.Option<string>
) => {
  const check = companyOf(parts, clientId, clientSecret)
  return Effect.flatMap(parts.failedLogins.guard(clientId, address, check), (company) =>
    Effect.mapEager(checkAddress(company.allowedAddresses, address), () => ({
      companyId: company.id,
      clientId,
      scopes: company.scopes
    }))
  )
})

const issue = Spans.fn("Tokens.issue")((
  { accessTokens, secrets, tokenLifetime }: Parts,
  company: Bearer,
  requested: ReadonlyArray<string>
): Effect.Effect<IssuedToken, NotAllowed | StoreError> => {
  const scopes = grant(company.scopes, requested)
  if (scopes.length === 0) {
    const own = company.scopes.length === 0 ? "none" : scopeText(company.scopes)
    return Effect.fail(
      new NotAllowed({ message: `None of the requested scopes is granted to this company: it has ${own}` })
    )
  }
  return Effect.flatMap(machineNow, (now) =>
    Effect.gen(function* () {
      const token = yield* secrets.newAccessToken(now)
      yield* accessTokens.insert({
        hash: yield* secrets.accessTokenHash(Redacted.value(token)),
        companyId: company.companyId,
        clientId: company.clientId,
        scopes,
        expiresAt: MachineTime.make(now + Duration.toMillis(tokenLifetime))
      })
      return { token, scopes, lifetime: tokenLifetime }
    })
  )
})

/** Authenticates a token, without a span if the token is in the cache. */
const authenticate = (parts: Parts, token: string, address: Option.Option<string>) => {
  if (token === "" || token.length > 255) return unknownToken(parts)
  return Effect.flatMap(parts.secrets.digest(token), (digest) =>
    Effect.clockWith((clock) => {
      const now = machineTimeOf(clock)
      const known = parts.tokens.get(digest, now)
      if (known !== undefined) return bearerOf(known, address)
      return Effect.flatMap(lookUp(parts, token, now), (found) => {
        parts.tokens.set(digest, found, now, found.token.expiresAt)
        return bearerOf(found, address)
      })
    })
  )
}

const bearerOf = (
  { company, token }: TokenWithCompany,
  address: Option.Option<string>
): Effect.Effect<Bearer, NotAllowed> =>
  Effect.mapEager(checkAddress(company.allowedAddresses, address), () => ({
    companyId: company.id,
    scopes: token.scopes,
    clientId: token.clientId
  }))

const lookUp = Spans.fn("Tokens.authenticate")(function* (parts: Parts, token: string, now: MachineTime) {
  const found = yield* parts.accessTokens.find(yield* parts.secrets.accessTokenHash(token))
  if (Option.isNone(found) || found.value.token.expiresAt <= now) return yield* unknownToken(parts)
  return found.value
})

const unknownToken = ({ tokenLifetime }: Parts) =>
  new NotAuthenticated({
    message: `The access token is unknown or expired: get a new one with POST /token (it lasts ${inWords(tokenLifetime)})`
  })
