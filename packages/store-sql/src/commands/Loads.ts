/**
 * Every load by its name.
 *
 * @since 0.1.0
 */
import type { LoadName } from "@parcela/engine/ports/CommandStore"
import type { Load } from "./Load.ts"
import { company } from "./LoadCompany.ts"
import { newPayment } from "./LoadNewPayment.ts"
import { newSubscription } from "./LoadNewSubscription.ts"
import { payment } from "./LoadPayment.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const loads: { readonly [N in LoadName]: Load<N> } = { company, newPayment, newSubscription, payment }
