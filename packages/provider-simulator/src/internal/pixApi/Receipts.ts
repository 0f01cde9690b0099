/**
 * Payments that were received: `GET /pix` and `GET /pix/{e2eid}`.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SimulatedPixClient } from "../../pixApi/SimulatedPixClient.ts"
import { SimulatorStore } from "../../SimulatorStore.ts"
import * as Payments from "./Payments.ts"
import { problem, type Said } from "./Problems.ts"

const page = (minimum: number, maximum: number) =>
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))

const Query = Schema.Struct({
  inicio: Schema.DateTimeUtcFromString,
  fim: Schema.DateTimeUtcFromString,
  txid: Schema.optionalKey(Schema.String),
  "paginacao.paginaAtual": Schema.optionalKey(page(0, 1_000_000)),
  "paginacao.itensPorPagina": Schema.optionalKey(page(1, 1_000))
})

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const list = Payments.listing(sql)

  return {
    list: Effect.fnUntraced(function* (client: SimulatedPixClient, request: HttpServerRequest.HttpServerRequest) {
      const url = new URL(request.url, "http://localhost")
      const query = Option.getOrUndefined(decodeQuery(HttpServerRequest.searchParamsFromURL(url)))
      if (query === undefined) return problem(400, "PixConsultaInvalida", "inicio e fim são datas, a paginação números")
      const { "paginacao.itensPorPagina": size = 100, "paginacao.paginaAtual": current = 0, fim, inicio, txid } = query
      const where = sql.and([
        sql`company_id = ${client.companyId}`,
        sql`paid_at >= ${DateTime.toEpochMillis(inicio)}`,
        sql`paid_at <= ${DateTime.toEpochMillis(fim)}`,
        ...(txid === undefined ? [] : [sql`txid = ${txid}`])
      ])
      const found = yield* list(where, size, current * size)
      const [counted] = yield* sql<{ total: number }>`SELECT count(*) AS total FROM pix_api_payments WHERE ${where}`
      const total = Number(counted?.total ?? 0)
      const paginacao = {
        paginaAtual: current,
        itensPorPagina: size,
        quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
        quantidadeTotalDeItens: total
      }
      const parametros = { inicio: DateTime.formatIso(inicio), fim: DateTime.formatIso(fim), paginacao }
      const pix = found.map((payment) => Payments.pixOf(payment, client.key))
      return { status: 200, body: { parametros, pix } } satisfies Said
    }),
    find: Effect.fnUntraced(function* (client: SimulatedPixClient, endToEndId: string) {
      const where = sql.and([sql`company_id = ${client.companyId}`, sql`end_to_end_id = ${endToEndId}`])
      const [payment] = yield* list(where)
      return payment === undefined
        ? problem(404, "PixNaoEncontrado", "Não há Pix com este endToEndId")
        : ({ status: 200, body: Payments.pixOf(payment, client.key) } satisfies Said)
    })
  }
})

const decodeQuery = Schema.decodeUnknownOption(Query)
