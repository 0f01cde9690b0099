/**
 * A Pix that was received, as `GET /pix` and the callback show it.
 *
 * Source: Banco Central do Brasil, `bacen/pix-api`, 2.9.0.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Amount } from "./Hundredths.ts"

/**
 * A payment. Without `txid` it pays no charge; `horario` is when it was settled.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReceivedPix = Schema.Struct({
  endToEndId: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{32}$/u)),
  txid: Schema.optionalKey(Schema.String),
  valor: Amount,
  horario: Schema.DateTimeUtcFromString,
  chave: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ReceivedPix = typeof ReceivedPix.Type
