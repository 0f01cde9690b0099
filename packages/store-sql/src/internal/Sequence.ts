/**
 * How identifiers are numbered in the database.
 *
 * @since 0.1.0
 */
import type { SequenceName } from "@parcela/engine/ports/Sequences"

/**
 * How many identifiers a process takes at once. What is left when it ends is never given out.
 *
 * @category constants
 * @since 0.1.0
 */
export const blockSize = 1_000

/**
 * The name of PostgreSQL's sequence for a kind.
 *
 * @category conversions
 * @since 0.1.0
 */
export const sequenceOf = (kind: SequenceName): string => `${kind}_ids`
