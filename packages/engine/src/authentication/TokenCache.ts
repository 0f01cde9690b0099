/**
 * The access tokens that were used lately, with whose they are, so that a request need not ask the store.
 *
 * **Details**
 *
 * - **Bound**: 10,000 tokens; the one that was looked up longest ago in the store goes first.
 * - **Age**: 5 s, after which a change of the company or its tokens is noticed, whoever made it; and a token's own expiry.
 *
 * Only tokens that are good are kept, by their keyed hashes and never as text. What a company allows (its addresses) is kept
 * with them, and checked on each request.
 *
 * @since 0.1.0
 */
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
}
