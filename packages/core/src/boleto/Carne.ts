/**
 * A payment booklet (carnê): all boletos of a subscription in one file (scope `carnes.read`). Source: public use: the
 * paths are documented, and two public clients read `Carnes[].pdf` from the response. The limit is inferred from the
 * boleto's `pdf` (interface section 2.6).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { string } from "../values/Text.ts"

/**
 * `pdf` is a link of at most 255 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Carne = Schema.Struct({ pdf: string(255) })

/**
 * @category models
 * @since 0.1.0
 */
export type Carne = typeof Carne.Type
