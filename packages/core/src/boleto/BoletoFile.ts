/**
 * Files of boletos: the boletos of a request (`POST /boletos/{entityType}`, scope `boletos.read`), and the carnê, a
 * payment booklet with all boletos of a subscription (scope `carnes.read`). Source: public use: the paths are
 * documented, and two public clients read `Carnes[].pdf`. The limit is inferred from the boleto's `pdf` (interface
 * section 2.6).
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
export const BoletoFile = Schema.Struct({ pdf: string(255) })

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoFile = typeof BoletoFile.Type

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
