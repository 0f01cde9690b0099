/**
 * What a sandbox is made from; every option has a default.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { PixAccount } from "@parcela/pix-api/PixAccount"
import type { ServiceOptions } from "@parcela/service/ServiceOptions"
import { isLoopback, isLoopbackHost } from "@parcela/service/LocalOnly"
import type { DestinationPolicy } from "@parcela/webhooks/node/GuardedAgent"
import * as Redacted from "effect/Redacted"

/**
 * @category options
 * @since 0.1.0
 */
export interface SandboxOptions extends Omit<ServiceOptions, "onRequest"> {
  /** The credentials of the company that is ready from the start. */
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * A client that sends it as `Authorization: Bearer` may use the controls under `/sandbox`, from anywhere: 24 to 255 visible
   * ASCII characters. Without it only programs on this machine may.
   */
  readonly controlsToken?: Redacted.Redacted | undefined
  /**
   * The account at a provider of API Pix that every company is paid into, in the place of the simulated Pix provider in process:
   * the simulator as a process of its own (`apps/pix-simulator`), or the sandbox of a PSP. Pix payments are made there then, and not by
   * the sandbox's controls.
   */
  readonly pixAccount?: PixAccount | undefined
  /**
   * An account for each company, by its number, in place of `pixAccount`. The Pix payments of a company without an account
   * are not opened until it has one.
   */
  readonly pixAccounts?: ReadonlyMap<CompanyId, PixAccount> | undefined
  /**
   * What becomes of a store of the simulated providers that does not belong to the database, as one of the two was removed or put
   * back alone: without it the sandbox does not start; `anew` lets the providers begin anew, with the cards of their vault.
   */
  readonly simulators?: "anew" | undefined
  /**
   * Whether payers may pay without money on the pages of boletos and Pix codes. By default only where other machines do not
   * reach the sandbox and its client secret is the well-known one: whoever has a page's address may pay there.
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
 * Whether the client secret is the one that everybody knows.
 *
 * @category predicates
 * @since 0.1.0
 */
export const hasWellKnownSecret = ({ clientSecret }: Pick<SandboxOptions, "clientSecret">): boolean =>
  Redacted.value(clientSecret) === Redacted.value(defaults.clientSecret)

/**
 * Whether other machines can reach the sandbox: it listens beyond loopback, or its links lead to another address.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isExposed = ({ host, publicUrl }: Pick<SandboxOptions, "host" | "publicUrl">): boolean =>
  !(isLoopback(host) || host.toLowerCase() === "localhost") ||
  (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).host))

/**
 * Whether the pages of boletos and Pix codes have a button that pays without money.
 *
 * @category predicates
 * @since 0.1.0
 */
export const simulatesPayments = (
  options: Pick<SandboxOptions, "clientSecret" | "host" | "publicUrl" | "simulatePayments">
): boolean => options.simulatePayments ?? (hasWellKnownSecret(options) && !isExposed(options))

/**
 * The networks that deliveries may go to: unless they are chosen, private ones only where the sandbox listens on loopback.
 *
 * @category options
 * @since 0.1.0
 */
export const destinationsOf = ({
  destinations,
  host = defaults.host
}: Pick<Partial<SandboxOptions>, "destinations" | "host">): DestinationPolicy =>
  destinations ?? { allowPrivate: !isExposed({ host }) }
