/**
 * The name under which this process holds leases.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { Secrets } from "../authentication/Secrets.ts"

/**
 * A random name, new at each start. A restarted process therefore does not hold the leases of its previous run.
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
