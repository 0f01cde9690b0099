/**
 * The access tokens that were used lately, with whose they are, so that a request need not ask the store.
 *
 * **Details**
 *
 * - **Bound**: 10,000 tokens; the one that was looked up longest ago in the store goes first.
 * - **Age**: 5 s, as another process may change a company or its tokens; and a token's own expiry.
 * - **Invalidation**: `forget`, by whatever changes a company, its credentials or its tokens in this process.
 *
 * Only tokens that are good are kept, by their keyed hashes and never as text. What a company allows (its addresses) is kept
 * with them, and checked on each request.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { TokenWithCompany } from "../ports/AccessTokens.ts"

/** In milliseconds. */
const age = 5_000

const capacity = 10_000

interface Entry {
  readonly found: TokenWithCompany
  readonly until: number
}

/**
 * @category caches
 * @since 0.1.0
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>()

  get(hash: string, now: MachineTime): TokenWithCompany | undefined {
    const entry = this.entries.get(hash)
    return entry !== undefined && now < entry.until ? entry.found : undefined
  }

  put(found: TokenWithCompany, now: MachineTime): void {
    const { expiresAt, hash } = found.token
    // A Map iterates in order of insertion, so the first key is the oldest one.
    this.entries.delete(hash)
    this.entries.set(hash, { found, until: Math.min(expiresAt, now + age) })
    if (this.entries.size <= capacity) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }

  forget(companyId: CompanyId): void {
    for (const [hash, { found }] of this.entries) if (found.company.id === companyId) this.entries.delete(hash)
  }

  get size(): number {
    return this.entries.size
  }
}
