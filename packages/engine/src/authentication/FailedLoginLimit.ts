/**
 * The limit of failed logins.
 *
 * **Details**
 *
 * Failed logins are counted per client id and address, so that an attacker cannot lock out a company at another
 * address. They are also counted per address, to stop attempts with many client ids. A count ends one minute after its
 * first failure. Counts are stored in bounded memory, so a restart clears them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TooManyFailedLogins } from "./AccessDenied.ts"
import { ExpiringMap } from "./ExpiringMap.ts"

/** Lifetime of a count in milliseconds. */
const lifetime = 60_000

/** Maximum failures per client id and address, and per address. */
const limits = { pair: 10, address: 100 }

interface Count {
  failures: number
  readonly until: number
}

class Counts {
  private readonly counts = new ExpiringMap<string, Count>(lifetime)

  /** Returns the end of the count for `key` if the count has reached its limit. */
  blockedUntil(key: string, limit: number, now: number): number | undefined {
    const count = this.counts.get(key, now)
    return count !== undefined && count.failures >= limit ? count.until : undefined
  }

  add(key: string, now: number): void {
    const count = this.counts.get(key, now)
    if (count === undefined) this.counts.set(key, { failures: 1, until: now + lifetime }, now)
    else count.failures++
  }

  remove(key: string): void {
    this.counts.delete(key)
  }
}

/** Returns the network of an address. The user of one IPv6 address usually controls the /64 network around it. */
const networkOf = (address: string): string => {
  if (!address.includes(":") || address.includes(".")) return address
  const [front = "", back = ""] = address.split("::", 2)
  const groups = front === "" ? [] : front.split(":")
  const rest = back === "" ? [] : back.split(":")
  const zeros = address.includes("::") ? Math.max(0, 8 - groups.length - rest.length) : 0
  return [...groups, ...Array.from({ length: zeros }, () => "0"), ...rest].slice(0, 4).join(":")
}

/**
 * @category services
 * @since 0.1.0
 */
export class FailedLoginLimit extends Context.Service<
  FailedLoginLimit,
  {
    /**
     * Runs a check of a secret. Fails with `TooManyFailedLogins` after too many failed checks, even if the secret is
     * right.
     */
    readonly guard: <A, E extends { readonly _tag: string }, R>(
      clientId: string,
      address: Option.Option<string>,
      check: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | TooManyFailedLogins, R>
  }
>()("@parcela/engine/authentication/FailedLoginLimit") {
  static readonly layer: Layer.Layer<FailedLoginLimit> = Layer.sync(FailedLoginLimit, () => {
    const counts = new Counts()
    return FailedLoginLimit.of({
      guard: (clientId, address, check) => {
        const network = networkOf(Option.getOrElse(address, () => "unknown"))
        const pair = `${network} ${clientId.slice(0, 255)}`
        return Effect.clockWith((clock) => {
          const refusal = (): TooManyFailedLogins | undefined => {
            const now = clock.currentTimeMillisUnsafe()
            const until =
              counts.blockedUntil(pair, limits.pair, now) ?? counts.blockedUntil(network, limits.address, now)
            return until === undefined
              ? undefined
              : new TooManyFailedLogins({ retryAfter: Duration.millis(until - now) })
          }
          return (
            refusal() ??
            Effect.matchCauseEffect(check, {
              onFailure: (cause) => {
                const error = cause.reasons.find((reason) => reason._tag === "Fail")?.error
                if (error?._tag === "NotAuthenticated") {
                  counts.add(pair, clock.currentTimeMillisUnsafe())
                  counts.add(network, clock.currentTimeMillisUnsafe())
                }
                return Effect.failCause(cause)
              },
              onSuccess: (found) => {
                // Concurrent logins that end after the limit was reached fail, whether the secret is right or wrong.
                const late = refusal()
                if (late !== undefined) return late
                counts.remove(pair)
                return Effect.succeed(found)
              }
            })
          )
        })
      }
    })
  })
}
