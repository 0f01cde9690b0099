/**
 * Where the payments of a key are reported to: `/webhook/{chave}`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SimulatedPixClient } from "../../pixApi/SimulatedPixClient.ts"
import { SimulatorStore } from "../../SimulatorStore.ts"
import { problem, type Said } from "./Problems.ts"

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ webhookUrl: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s]+$/u)) }))
)

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
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
      return { status: 200, body: {} } satisfies Said
    }),
    get: Effect.fnUntraced(function* (client: SimulatedPixClient, key: string | undefined) {
      const rows = yield* sql<{ url: string; createdAt: number }>`
        SELECT url, created_at AS "createdAt" FROM pix_api_webhooks WHERE key = ${client.key}`
      const [row] = rows
      if (key !== client.key || row === undefined) return notFound
      const criacao = new Date(Number(row.createdAt)).toISOString()
      return { status: 200, body: { webhookUrl: row.url, chave: key, criacao } } satisfies Said
    }),
    remove: Effect.fnUntraced(function* (client: SimulatedPixClient, key: string | undefined) {
      if (key !== client.key) return otherKey
      yield* sql`DELETE FROM pix_api_webhooks WHERE key = ${client.key}`
      return { status: 204, body: undefined } satisfies Said
    })
  }
})

const otherKey = problem(403, "AcessoNegado", "A chave não é do recebedor")
const notFound = problem(404, "WebhookNaoEncontrado", "Não há webhook para esta chave")
