/**
 * The time of the machine's clock: timeouts, leases, tokens, signatures, deliveries and attempts go by it, whatever a
 * company's clock shows.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { EpochMillis } from "./EpochMillis.ts"

/**
 * An instant on the machine's clock. A company's business time is none.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MachineTime = EpochMillis.pipe(Schema.brand("MachineTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type MachineTime = typeof MachineTime.Type
