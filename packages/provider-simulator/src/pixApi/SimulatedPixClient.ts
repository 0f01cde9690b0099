/**
 * Who may call the simulator of API Pix.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type * as Redacted from "effect/Redacted"

/**
 * A client of the provider: one receiver with one key.
 *
 * @category options
 * @since 0.1.0
 */
export interface SimulatedPixClient {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** What the ledger and planned faults call it. */
  readonly companyId: CompanyId
  /** The receiver's Pix key (`chave`): its charges and its webhook are under it. */
  readonly key: string
  /** At most 25 characters once accents are taken off. */
  readonly merchantName: string
  /** At most 15 characters once accents are taken off. */
  readonly merchantCity: string
}
