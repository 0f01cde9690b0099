/**
 * The name under which this process holds leases.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { Secrets } from "../authentication/Secrets.ts"

/**
 * Random, and another at each start: a process that starts again does not take itself for the one before.
 *
 * @category services
 * @since 0.1.0
 */
export class LeaseOwner extends Context.Service<LeaseOwner, string>()("@parcela/engine/command/LeaseOwner") {
  static readonly layer: Layer.Layer<LeaseOwner, never, Secrets> = Layer.effect(
    LeaseOwner,
    Secrets.use((secrets) => secrets.newDocumentKey)
  )
}
