/**
 * What becomes of the open payments of a subscription or of a charge.
 *
 * @since 0.1.0
 */

/**
 * - `sent`: they go to the operator, the bank and the Pix provider when they are due
 * - `paused`: nothing new is sent; a slip or a code that was given out can still be paid
 * - `cancelled`: they become `cancelByContract`
 *
 * @category models
 * @since 0.1.0
 */
export type OpenPayments = "sent" | "paused" | "cancelled"
