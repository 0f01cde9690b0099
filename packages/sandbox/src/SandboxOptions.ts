/**
 * Options of a sandbox, all with defaults.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { PixAccount } from "@parcela/pix-api/PixAccount"
import type { ServiceOptions } from "@parcela/service/ServiceOptions"
import { isLoopback, isLoopbackHost } from "@parcela/service/OperatorAccess"
import type { DestinationPolicy } from "@parcela/webhooks/node/GuardedAgent"
import * as Redacted from "effect/Redacted"

/**
 * @category options
 * @since 0.1.0
 */
export interface SandboxOptions extends Omit<ServiceOptions, "onRequest"> {
  /** The credentials of the default company. */
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * The token for the controls under `/sandbox`, sent as `Authorization: Bearer` from any address: 24 to 255 visible
   * ASCII characters. Without a token only programs on this machine may use the controls.
   */
  readonly controlsToken?: Redacted.Redacted | undefined
  /**
   * The account at a provider of API Pix for every company, in place of the simulated Pix provider: the simulator as a
   * process of its own (`apps/pix-simulator`), or the sandbox of a PSP. Pix payments are then made there, and not by
   * the sandbox's controls.
   */
  readonly pixAccount?: PixAccount | undefined
  /**
   * An account for each company, by its number, in place of `pixAccount`. Pix payments of a company without an account
   * wait until the company has one.
   */
  readonly pixAccounts?: ReadonlyMap<CompanyId, PixAccount> | undefined
  /**
   * Handling of a providers' store that does not belong to the database, because one of the two was removed or restored
   * alone. By default the sandbox does not start. `reset` replaces the store by an empty one that keeps the cards of the
   * vault.
   */
  readonly simulators?: "reset" | undefined
  /**
   * True if payers may simulate payments on the pages of boletos and Pix codes. By default true only if other machines
   * cannot reach the sandbox and its client secret is the default: anyone with a page's URL may pay there.
   */
  readonly simulatePayments?: boolean | undefined
}

/**
 * @category options
 * @since 0.1.0
 */
export const defaults: SandboxOptions = {
  host: "127.0.0.1",
  port: 8026,
  database: ".parcela/sandbox.db",
  clientId: "sandbox",
  clientSecret: Redacted.make("sandbox-secret")
}

/**
 * Returns true if the client secret is the published default.
 *
 * @category predicates
 * @since 0.1.0
 */
export const hasWellKnownSecret = ({ clientSecret }: Pick<SandboxOptions, "clientSecret">): boolean =>
  Redacted.value(clientSecret) === Redacted.value(defaults.clientSecret)

/**
 * Returns true if other machines can reach the sandbox: it listens outside loopback, or its links have another host.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isExposed = ({ host, publicUrl }: Pick<SandboxOptions, "host" | "publicUrl">): boolean =>
  !(isLoopback(host) || host.toLowerCase() === "localhost") ||
  (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).host))

/**
 * Returns true if the pages of boletos and Pix codes have a button that simulates a payment.
 *
 * @category predicates
 * @since 0.1.0
 */
export const simulatesPayments = (
  options: Pick<SandboxOptions, "clientSecret" | "host" | "publicUrl" | "simulatePayments">
): boolean => options.simulatePayments ?? (hasWellKnownSecret(options) && !isExposed(options))

/**
 * Returns the networks that deliveries may use. By default private networks are allowed only if the sandbox listens on
 * loopback.
 *
 * @category options
 * @since 0.1.0
 */
export const destinationsOf = ({
  destinations,
  host = defaults.host
}: Pick<Partial<SandboxOptions>, "destinations" | "host">): DestinationPolicy =>
  destinations ?? { allowPrivate: !isExposed({ host }) }
