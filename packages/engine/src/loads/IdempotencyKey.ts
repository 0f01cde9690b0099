/**
 * An `Idempotency-Key`, and what is stored under it.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"

/**
 * An `Idempotency-Key` of a company with the fingerprint of the command that it came with.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyName {
  readonly companyId: CompanyId
  readonly key: string
  readonly fingerprint: string
}

/**
 * A response as it went out, without secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * What is stored under a key: what its command wrote, and the response once it was known.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyRow {
  readonly fingerprint: string
  readonly subject: string
  readonly response: StoredResponse | undefined
}
