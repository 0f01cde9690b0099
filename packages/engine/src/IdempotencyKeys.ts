/**
 * Port: the `Idempotency-Key`s that writes were made under (IETF draft-ietf-httpapi-idempotency-key-header).
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * A key of a company, and a keyed hash of the command that it came with, without card number and CVV.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyedRequest {
  readonly companyId: CompanyId
  readonly key: string
  readonly fingerprint: string
}

/**
 * An answer as it went out.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeptAnswer {
  readonly status: number
  readonly body: string
}

/**
 * What is known of a key.
 *
 * - `Fresh`: nothing; it is the caller's now, until `claimedUntil`
 * - `Running`: somebody is at it
 * - `Written`: its write was committed and its answer was not kept (a crash in between); `subject` is what was written
 * - `Answered`: it is done
 * - `OtherRequest`: it came with another request
 *
 * @category models
 * @since 0.1.0
 */
export type KeyState =
  | { readonly _tag: "Fresh" }
  | { readonly _tag: "Running" }
  | { readonly _tag: "Written"; readonly subject: string }
  | { readonly _tag: "Answered"; readonly answer: KeptAnswer }
  | { readonly _tag: "OtherRequest" }

/**
 * @category ports
 * @since 0.1.0
 */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /**
     * Leases a key, or says what is known of it. A lease that ran out without a write is `Fresh` again. A key whose
     * fingerprint was erased takes that of the first request that comes with it.
     */
    readonly claim: (
      request: KeyedRequest,
      now: EpochMillis,
      claimedUntil: EpochMillis
    ) => Effect.Effect<KeyState, StoreError>
    /** Notes what the request wrote, in the transaction that wrote it. */
    readonly noteWritten: (companyId: CompanyId, key: string, subject: string) => Effect.Effect<void, StoreError>
    /** Keeps the answer. */
    readonly answer: (companyId: CompanyId, key: string, answer: KeptAnswer) => Effect.Effect<void, StoreError>
    /**
     * Ends a lease without a response, by the end that it was given: a key that wrote nothing may be used again, one
     * that wrote is `Written` for the next request at once. A lease that somebody else took over stays.
     */
    readonly release: (companyId: CompanyId, key: string, claimedUntil: EpochMillis) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/IdempotencyKeys") {}
