/**
 * Webhooks of the simulated API Pix: `/webhook/{chave}` registers a URL, and payments are reported to `POST {webhookUrl}/pix`.
 *
 * @since 0.1.0
 */
import { supervised } from "@parcela/engine/Supervised"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SimulatedPixClient } from "./PixClients.ts"
import { SimulatorStore } from "../../SimulatorStore.ts"
import { problem, type PixResponse } from "./Responses.ts"
import * as Duration from "effect/Duration"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Queue from "effect/Queue"
import * as PixPayments from "./PixPayments.ts"

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ webhookUrl: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s]+$/u)) }))
)

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeWebhooks = Effect.gen(function* () {
  const sql = yield* SimulatorStore

  return {
    put: Effect.fnUntraced(function* (client: SimulatedPixClient, key: string | undefined, text: string) {
      const body = decode(text)
      if (key !== client.key) return otherKey
      if (Option.isNone(body)) return problem(400, "WebhookOperacaoInvalida", "webhookUrl é um endereço http ou https")
      const now = yield* Clock.currentTimeMillis
      yield* sql`
        INSERT INTO pix_api_webhooks ${sql.insert({ key, url: body.value.webhookUrl, created_at: now })}
        ON CONFLICT (key) DO UPDATE SET url = excluded.url, created_at = excluded.created_at`
      return { status: 200, body: {} } satisfies PixResponse
    }),
    get: Effect.fnUntraced(function* (client: SimulatedPixClient, key: string | undefined) {
      const rows = yield* sql<{ url: string; createdAt: number }>`
        SELECT url, created_at AS "createdAt" FROM pix_api_webhooks WHERE key = ${client.key}`
      const [row] = rows
      if (key !== client.key || row === undefined) return notFound
      const criacao = new Date(Number(row.createdAt)).toISOString()
      return { status: 200, body: { webhookUrl: row.url, chave: key, criacao } } satisfies PixResponse
    }),
    remove: Effect.fnUntraced(function* (client: SimulatedPixClient, key: string | undefined) {
      if (key !== client.key) return otherKey
      yield* sql`DELETE FROM pix_api_webhooks WHERE key = ${client.key}`
      return { status: 204, body: undefined } satisfies PixResponse
    })
  }
})

const otherKey = problem(403, "AcessoNegado", "A chave não é do recebedor")
const notFound = problem(404, "WebhookNaoEncontrado", "Não há webhook para esta chave")

/** Timeout of one report. */
const timeout = Duration.seconds(10)

/** First delay between two attempts, in milliseconds. Each delay is twice the previous one. */
const firstDelay = 5_000
const maxAttempts = 10

/**
 * Reports payments while the scope is open, one request for each payment, oldest first. Failed reports are retried. Returns the
 * effect that starts the next pass after a new payment.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeCallbacks = Effect.fnUntraced(function* (clients: ReadonlyArray<SimulatedPixClient>) {
  const sql = yield* SimulatorStore
  const http = yield* HttpClient.HttpClient
  const list = PixPayments.listing(sql)
  const woken = yield* Queue.sliding<void>(1)

  const urlOf = (key: string) =>
    Effect.map(
      sql<{ url: string }>`SELECT url FROM pix_api_webhooks WHERE key = ${key}`,
      ([row]): string | undefined => row?.url
    )

  const isAccepted = (url: string, pix: ReturnType<typeof PixPayments.pixOf>) =>
    http
      .execute(
        HttpClientRequest.bodyText(
          HttpClientRequest.post(`${url.replace(/\/$/u, "")}/pix`),
          JSON.stringify({ pix: [pix] }),
          "application/json"
        )
      )
      .pipe(
        Effect.map(({ status }) => status >= 200 && status < 300),
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(false) }),
        Effect.catch(() => Effect.succeed(false))
      )

  const report = Effect.fnUntraced(function* (payment: PixPayments.StoredPayment) {
    const client = clients.find(({ companyId }) => companyId === payment.companyId)
    const url = client === undefined ? undefined : yield* urlOf(client.key)
    // A receiver without a URL finds the payment by GET /pix.
    const accepted =
      client !== undefined && url !== undefined && (yield* isAccepted(url, PixPayments.pixOf(payment, client.key)))
    const now = yield* Clock.currentTimeMillis
    yield* sql`
      UPDATE pix_api_payments SET reported_at = ${accepted ? now : null}, report_tries = report_tries + 1,
        report_at = ${now + firstDelay * 2 ** payment.reportTries}
      WHERE end_to_end_id = ${payment.endToEndId}`
  })

  const open = sql.and([sql`reported_at IS NULL`, sql`report_tries < ${maxAttempts}`])

  /** Sends the due reports and returns the time until the next one. */
  const sendDue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = yield* list(sql.and([open, sql`report_at <= ${now}`]), 100)
    yield* Effect.forEach(due, report, { discard: true })
    const [next] = yield* sql<{ at: number | null }>`SELECT min(report_at) AS at FROM pix_api_payments WHERE ${open}`
    const at = next?.at ?? undefined
    return at === undefined ? Duration.infinity : Duration.millis(Math.max(0, Number(at) - now))
  })

  const step = Effect.flatMap(sendDue, (delay) => Effect.raceFirst(Queue.take(woken), Effect.sleep(delay)))
  yield* Effect.forkScoped(supervised("sender of API Pix reports", Effect.asVoid(step), Effect.sleep))
  return Queue.offer(woken, undefined)
})
