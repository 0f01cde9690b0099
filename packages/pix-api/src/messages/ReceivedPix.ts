/**
 * A Pix that was received, as `GET /pix` and the callback show it.
 *
 * Source: Banco Central do Brasil, `bacen/pix-api`, 2.9.0.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Amount } from "./Hundredths.ts"

const EndToEndId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{32}$/u))

/**
 * A payment. Without `txid` it pays no charge; `horario` is when it was settled.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReceivedPix = Schema.Struct({
  endToEndId: EndToEndId,
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

/**
 * A page of `GET /pix`, whose pages are counted from 0. Its payments are read one by one, so that one that cannot be read hides no
 * other.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReceivedPage = Schema.Struct({
  parametros: Schema.Struct({ paginacao: Schema.Struct({ quantidadeDePaginas: Schema.Int }) }),
  pix: Schema.Array(Schema.Unknown)
})

/**
 * A payment as a callback names it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NamedPix = Schema.Struct({ endToEndId: EndToEndId, txid: Schema.optionalKey(Schema.String) })

/**
 * The body of a callback: which payments to ask for, read one by one. Some providers write one where the specification has a list.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Callback = Schema.Struct({ pix: Schema.Union([Schema.Array(Schema.Unknown), Schema.ObjectKeyword]) })
