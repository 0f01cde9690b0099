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
 * What is numbered.
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
     * The next identifier of its kind: unique for good among all companies and all processes, and higher than every one
     * that this process gave out before. Numbers may be left out, and those of two processes do not follow one another.
     */
    readonly next: (name: SequenceName) => Effect.Effect<SvcPayId, StoreError>
  }
>()("@parcela/engine/ports/Sequences") {}
