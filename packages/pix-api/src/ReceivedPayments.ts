/**
 * Reads received payments from providers and reports them to the engine: one by its id, or all of an interval.
 *
 * **Details**
 *
 * Payments come from the provider's API, never from the body of a callback. A payment without the txid of a charge, or to
 * another key, belongs to no charge of this service and is ignored. The engine applies each payment once, even if it is
 * reported several times.
 *
 * @since 0.1.0
 */
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { BusinessTime } from "@parcela/core/time/Instant"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingReport"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { ReceivePayments } from "@parcela/engine/payments/IncomingPayments"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { reasonOf } from "./messages/Problem.ts"
import { ReceivedPage, ReceivedPix } from "./messages/Charge.ts"
import { type PixAccount, PixAccounts } from "./PixAccount.ts"
import { PixApiClient } from "./PixApiClient.ts"
import * as Duration from "effect/Duration"
import * as Schedule from "effect/Schedule"

/**
 * @category services
 * @since 0.1.0
 */
export class ReceivedPayments extends Context.Service<
  ReceivedPayments,
  {
    /** Reports the payment of that end-to-end id. Fails if the provider does not have the payment (yet). */
    readonly report: (account: PixAccount, endToEndId: string) => Effect.Effect<void, ProviderError | StoreError>
    /** Reports every payment that was received between `from` and `to`, and returns their number. */
    readonly reportAll: (
      account: PixAccount,
      span: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
    ) => Effect.Effect<number, ProviderError | StoreError>
  }
>()("@parcela/pix-api/ReceivedPayments") {
  static readonly layer: Layer.Layer<ReceivedPayments, never, PixApiClient | ReceivePayments> = Layer.effect(
    ReceivedPayments,
    Effect.gen(function* () {
      const { send } = yield* PixApiClient
      const { receive } = yield* ReceivePayments

      const get = Effect.fnUntraced(function* (
        account: PixAccount,
        path: string,
        query?: Readonly<Record<string, string>>
      ) {
        const { body, status } = yield* send(account, { method: "GET", path, query })
        if (status >= 300) return yield* unreadable(`${reasonOf(status, body).message} (${status})`)
        return body
      })

      const take = Effect.fnUntraced(function* (account: PixAccount, pix: ReceivedPix) {
        const payment = paymentOf(account, pix)
        if (payment !== undefined) yield* receive(payment)
      })

      const page = Effect.fnUntraced(function* (account: PixAccount, span: Span, current: number) {
        const query = {
          inicio: DateTime.formatIso(span.from),
          fim: DateTime.formatIso(span.to),
          "paginacao.paginaAtual": String(current),
          "paginacao.itensPorPagina": String(pageSize)
        }
        return yield* decodePage(yield* get(account, "/pix", query)).pipe(Effect.mapError(() => unreadable("its page")))
      })

      return ReceivedPayments.of({
        report: Effect.fn("ReceivedPayments.report")(function* (account, endToEndId) {
          const body = yield* get(account, `/pix/${encodeURIComponent(endToEndId)}`)
          yield* take(account, yield* decodePix(body).pipe(Effect.mapError(() => unreadable("its payment"))))
        }),
        reportAll: Effect.fn("ReceivedPayments.reportAll")(function* (account, span) {
          let count = 0
          for (let current = 0; ; current++) {
            const { parametros, pix } = yield* page(account, span, current)
            const read = Arr.getSomes(pix.map((one) => readPix(one)))
            if (read.length < pix.length) {
              yield* Effect.logWarning(`GET /pix: ${pix.length - read.length} of ${pix.length} payments cannot be read`)
            }
            yield* Effect.forEach(read, (one) => take(account, one), { discard: true })
            count += read.length
            if (pix.length === 0 || current + 1 >= parametros.paginacao.quantidadeDePaginas) return count
          }
        })
      })
    })
  )
}

interface Span {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** Maximum page size of API Pix. */
const pageSize = 1_000

const isTxid = Schema.is(DynamicTxid)
const decodePix = Schema.decodeUnknownEffect(ReceivedPix)
const readPix = Schema.decodeUnknownOption(ReceivedPix)
const decodePage = Schema.decodeUnknownEffect(ReceivedPage)

/** Fails without the body's text, which may contain the payer's name. */
const unreadable = (problem: string) =>
  new ProviderError({ provider: "Pix provider", cause: `GET /pix: the provider's response cannot be used: ${problem}` })

/** Returns the payment for the engine, or undefined if it belongs to no charge of this account. */
const paymentOf = (
  { key }: PixAccount,
  { chave, endToEndId, horario, txid, valor }: ReceivedPix
): IncomingPayment | undefined =>
  // Some providers send an empty txid in place of none.
  !isTxid(txid) || (chave !== undefined && chave !== key)
    ? undefined
    : {
        method: "pix",
        id: endToEndId,
        reference: { kind: "txid", value: txid },
        value: valor,
        paidAt: BusinessTime.make(DateTime.toEpochMillis(horario))
      }

/**
 * @category options
 * @since 0.1.0
 */
export interface SweepOptions {
  /** Interval between two sweeps. Defaults to 10 minutes. */
  readonly every?: Duration.Duration | undefined
  /** Overlap with the previous successful sweep, for payments that a provider lists late. Defaults to 2 hours. */
  readonly back?: Duration.Duration | undefined
  /** Interval of the first sweep, for payments during a downtime. Defaults to 7 days. */
  readonly firstBack?: Duration.Duration | undefined
}

/**
 * Reads the payments of every account at the start and at each interval, to find payments that no callback reported. A
 * failed sweep is logged, and the next sweep of that account covers its interval too.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSweep = ({
  back = Duration.hours(2),
  every = Duration.minutes(10),
  firstBack = Duration.days(7)
}: SweepOptions = {}): Layer.Layer<never, never, PixAccounts | ReceivedPayments> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { all } = yield* PixAccounts
      const payments = yield* ReceivedPayments

      const start = DateTime.subtractDuration(yield* DateTime.now, firstBack)
      /** Start of the next sweep of each account. */
      const since = new Map(all.map((account) => [account, start]))

      const sweep = Effect.gen(function* () {
        const to = yield* DateTime.now
        for (const [account, from] of since) {
          yield* payments.reportAll(account, { from, to }).pipe(
            Effect.andThen(Effect.sync(() => since.set(account, DateTime.subtractDuration(to, back)))),
            Effect.catchCause((cause) =>
              Effect.logWarning(`The payments of ${account.clientId} could not be read`, cause)
            )
          )
        }
      })

      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(every)))
    })
  )
