/**
 * Reports payments that the provider received to the engine: one by its name, or all of a span of time.
 *
 * **Details**
 *
 * What is reported is what the provider says when it is asked, with a token: a callback says only that there is something to ask for.
 * A payment without the txid of a charge, or to another key, is none of a charge of ours and is passed over. The engine applies each
 * payment once, however often it is reported.
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
    /** Reports the payment of that end-to-end id. A payment that the provider does not have (yet) is a `ProviderError`. */
    readonly report: (account: PixAccount, endToEndId: string) => Effect.Effect<void, ProviderError | StoreError>
    /** Reports every payment that was received from `from` to `to`, and returns how many that are. */
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
          let found = 0
          for (let current = 0; ; current++) {
            const { parametros, pix } = yield* page(account, span, current)
            const read = Arr.getSomes(pix.map((one) => readPix(one)))
            if (read.length < pix.length) {
              yield* Effect.logWarning(`GET /pix: ${pix.length - read.length} of ${pix.length} payments cannot be read`)
            }
            yield* Effect.forEach(read, (one) => take(account, one), { discard: true })
            found += read.length
            if (pix.length === 0 || current + 1 >= parametros.paginacao.quantidadeDePaginas) return found
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

/** The most that API Pix gives on a page. */
const pageSize = 1_000

const isTxid = Schema.is(DynamicTxid)
const decodePix = Schema.decodeUnknownEffect(ReceivedPix)
const readPix = Schema.decodeUnknownOption(ReceivedPix)
const decodePage = Schema.decodeUnknownEffect(ReceivedPage)

/** Its text is not kept where it cannot be read: it may name the payer. */
const unreadable = (what: string) =>
  new ProviderError({ provider: "Pix provider", cause: `GET /pix: the provider's response is of no use: ${what}` })

/** The payment as the engine takes it; `undefined` when it pays no charge of this account. */
const paymentOf = (
  { key }: PixAccount,
  { chave, endToEndId, horario, txid, valor }: ReceivedPix
): IncomingPayment | undefined =>
  // Some providers write an empty txid where there is none.
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
  /** How long it rests between two sweeps; default 10 minutes. */
  readonly every?: Duration.Duration | undefined
  /** How far before the last sweep that went through the next one begins: how late a provider may show a payment; default 2 hours. */
  readonly back?: Duration.Duration | undefined
  /** How far back the first one looks: how long the service may have been away; default 7 days. */
  readonly firstBack?: Duration.Duration | undefined
}

/**
 * Sweeps every account at once and then every `every`, for as long as the layer lives. One that fails is logged, and the next one
 * of that account looks through its span too.
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

      const begin = DateTime.subtractDuration(yield* DateTime.now, firstBack)
      /** From where the next sweep of each account looks. */
      const since = new Map(all.map((account) => [account, begin]))

      const sweep = Effect.gen(function* () {
        const to = yield* DateTime.now
        for (const [account, from] of since) {
          yield* payments.reportAll(account, { from, to }).pipe(
            Effect.andThen(Effect.sync(() => since.set(account, DateTime.subtractDuration(to, back)))),
            Effect.catchCause((cause) =>
              Effect.logWarning(`The payments of ${account.clientId} could not be looked through`, cause)
            )
          )
        }
      })

      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(every)))
    })
  )
