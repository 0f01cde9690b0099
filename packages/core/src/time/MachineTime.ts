/**
 * The time of the machine's clock. Timeouts, leases, tokens, signatures, deliveries and attempts use machine time,
 * independently of any company's clock.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { EpochMillis } from "./EpochMillis.ts"

/**
 * An instant on the machine's clock. It is not the business time of a company.
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
