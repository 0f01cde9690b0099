/**
 * Port: the identifiers that the service assigns.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * The kind of entity.
 *
 * @category models
 * @since 0.1.0
 */
export type SequenceName = "customer" | "card" | "plan" | "subscription" | "charge" | "transaction" | "replay"

/**
 * @category ports
 * @since 0.1.0
 */
export class Sequences extends Context.Service<
  Sequences,
  {
    /**
     * Returns the next identifier of a kind. It is unique across companies and processes, and higher than all earlier
     * ones of this process. Sequences may have gaps, and the sequences of two processes are not consecutive.
     */
    readonly next: (name: SequenceName) => Effect.Effect<SvcPayId, StoreError>
  }
>()("@parcela/engine/ports/Sequences") {}
