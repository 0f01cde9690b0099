/**
 * What an earlier unit left, as others left it since.
 *
 * @since 0.1.0
 */
import type { WriteSet } from "./WriteSet.ts"
import type { Found, LoadName } from "../loads/Loads.ts"
import type { Guard } from "../loads/Guard.ts"

/**
 * What an earlier unit left, as it is for a unit with the number `version`: `since` says what was written below a root
 * since, or that nobody knows. Undefined where it has to be loaded.
 *
 * @category models
 * @since 0.1.0
 */
export type Follow<N extends LoadName> = (
  known: Found<N>,
  since: (guard: Guard) => ReadonlyArray<WriteSet> | undefined,
  version: number
) => Found<N> | undefined
