import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Effect, Layer, Redacted, Ref, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientResponse, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import * as PixApiServer from "../../src/pixApi/PixApiServer.ts"
import { memory } from "../fixtures/Layers.ts"

const client = {
  clientId: "shop",
  clientSecret: Redacted.make("a secret of the test"),
  companyId: CompanyId.make(1),
  key: "pix@shop.example",
  merchantName: "Shop",
  merchantCity: "Goiania"
}

const readJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** A provider at noon of a day in Brazil; a receiver of callbacks that responds with these statuses, and then with 200. */
const provider = Effect.fnUntraced(function* (day: string, statuses: ReadonlyArray<number> = []) {
  yield* TestClock.setTime(Date.parse(`${day}T15:00:00Z`))
  const received = yield* Ref.make<ReadonlyArray<string>>([])
  const receiver = HttpClient.make((request) =>
    Effect.gen(function* () {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const before = yield* Ref.getAndUpdate(received, (all) => [...all, `${request.url} ${body}`])
      return HttpClientResponse.fromWeb(request, new Response(null, { status: statuses[before.length] ?? 200 }))
    })
  )
  const app = yield* HttpRouter.toHttpEffect(
    PixApiServer.layer({ clients: [client], cut: () => Effect.void }).pipe(
      Layer.provide([Layer.succeed(HttpClient.HttpClient, receiver), SecureRandom.layerWebCrypto])
    )
  )
  const sendAs = Effect.fnUntraced(function* (authorization: string, method: string, path: string, body?: unknown) {
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { authorization },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const response = yield* Effect.provideService(
      app,
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(request)
    )
    const web = HttpServerResponse.toWeb(response)
    const text = yield* Effect.promise(() => web.text())
    return { status: web.status, body: text === "" ? {} : yield* readJson(text) }
  })
  const basic = `Basic ${btoa(`${client.clientId}:${Redacted.value(client.clientSecret)}`)}`
  const { body } = yield* sendAs(basic, "POST", "/oauth/token", "grant_type=client_credentials")
  const bearer = `Bearer ${String(body["access_token"])}`
  return {
    sendAs,
    received: Ref.get(received),
    send: (method: string, path: string, body?: unknown) => sendAs(bearer, method, `/api/v2${path}`, body),
    pay: (txid: string) => sendAs("", "POST", "/simulator/payments", { txid })
  }
})

const onStore = Effect.provide(memory, { local: true })

const txid = "0123456789abcdefghijklmnop"

const dueDate = (changes: object = {}, dataDeVencimento = "2026-03-10") => ({
  calendario: { dataDeVencimento, validadeAposVencimento: 30 },
  devedor: { cpf: "52998224725", nome: "Maria da Silva" },
  valor: { original: "100.00", ...changes },
  chave: client.key
})

const immediate = { calendario: { expiracao: 1_800 }, valor: { original: "19.90" }, chave: client.key }

describe("a charge", () => {
  it.effect("that is put again stays unchanged, and one that is put with another body changes while it is active", () =>
    Effect.gen(function* () {
      const { send } = yield* provider("2026-03-01")
      const put = (body: unknown, kind = "cobv") =>
        Effect.map(send("PUT", `/${kind}/${txid}`, body), ({ body, status }) => [status, body["revisao"]])
      assert.deepStrictEqual(yield* put(dueDate()), [201, 0])
      assert.deepStrictEqual(yield* put(dueDate()), [201, 0])
      assert.deepStrictEqual(yield* put(dueDate({ original: "90.00" })), [201, 1])
      assert.deepStrictEqual(yield* put(immediate, "cob"), [400, undefined])
      const { body, status } = yield* send("PATCH", `/cobv/${txid}`, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })
      assert.deepStrictEqual([status, body["status"]], [200, "REMOVIDA_PELO_USUARIO_RECEBEDOR"])
      assert.deepStrictEqual(yield* put(dueDate({ original: "90.00" })), [400, undefined])
    }).pipe(onStore)
  )

  it.effect.each([
    { what: "of another key", body: { ...dueDate(), chave: "another" }, at: "chave" },
    { what: "that is due before today", body: dueDate({}, "2026-02-28"), at: "cobv.calendario.dataDeVencimento" },
    { what: "of an amount that is no text", body: dueDate({ original: 100 }), at: "cobv.original" },
    { what: "without a value", body: dueDate({ original: "0.00" }), at: "cobv.original" }
  ])("$what is refused with the path of the error", ({ at, body }) =>
    Effect.gen(function* () {
      const { send } = yield* provider("2026-03-01")
      const refused = yield* send("PUT", `/cobv/${txid}`, body)
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body["type"], "https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida")
      assert.include(JSON.stringify(refused.body["violacoes"]), `"propriedade":"${at}"`)
      assert.strictEqual((yield* send("GET", `/cobv/${txid}`)).status, 404)
    }).pipe(onStore)
  )

  it.effect("is refused without a token and with an expired one", () =>
    Effect.gen(function* () {
      const { send, sendAs } = yield* provider("2026-03-01")
      assert.strictEqual((yield* sendAs("", "GET", `/api/v2/cobv/${txid}`)).status, 401)
      assert.strictEqual((yield* send("GET", `/cobv/${txid}`)).status, 404)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* send("GET", `/cobv/${txid}`)).status, 401)
    }).pipe(onStore)
  )
})

const late = { multa: { modalidade: 2, valorPerc: "2.00" }, juros: { modalidade: 3, valorPerc: "1.00" } }
const early = {
  original: "80.00",
  desconto: { modalidade: 2, descontoDataFixa: [{ data: "2026-03-05", valorPerc: "2.50" }] }
}

describe("a payment", () => {
  it.effect.each([
    { day: "2026-03-05", terms: early, value: 7_800 },
    { day: "2026-03-06", terms: early, value: 8_000 },
    { day: "2026-03-10", terms: late, value: 10_000 },
    // 2 % once, and 17 days of 1 % a month: R$ 0,5666.
    { day: "2026-03-27", terms: late, value: 10_256 }
  ])("on $day is $value cents with the terms %o", ({ day, terms, value }) =>
    Effect.gen(function* () {
      const { pay, send } = yield* provider("2026-03-01")
      yield* send("PUT", `/cobv/${txid}`, dueDate(terms))
      yield* TestClock.setTime(Date.parse(`${day}T15:00:00Z`))
      assert.strictEqual((yield* pay(txid)).body["value"], value)
      assert.strictEqual((yield* pay(txid)).status, 400)
    }).pipe(onStore)
  )

  it.effect("is accepted until the charge expires, to the second", () =>
    Effect.gen(function* () {
      const { pay, send } = yield* provider("2026-03-01")
      yield* send("PUT", `/cob/${txid}`, immediate)
      yield* TestClock.adjust("1800 seconds")
      assert.strictEqual((yield* pay(txid)).status, 400)
      yield* send("PUT", `/cobv/${txid}z`, dueDate())
      // 30 days after 10 March is a Thursday: it ends at midnight in Brazil.
      yield* TestClock.setTime(Date.parse("2026-04-10T03:00:00Z"))
      assert.strictEqual((yield* pay(`${txid}z`)).status, 400)
      yield* TestClock.setTime(Date.parse("2026-04-10T02:59:59Z"))
      assert.strictEqual((yield* pay(`${txid}z`)).status, 201)
    }).pipe(onStore)
  )

  it.effect("is listed page by page in the order of time, and found by its end-to-end id", () =>
    Effect.gen(function* () {
      const { pay, send } = yield* provider("2026-03-01")
      const names: Array<unknown> = []
      for (const last of ["a", "b", "c"]) {
        yield* send("PUT", `/cob/${txid}${last}`, immediate)
        yield* TestClock.adjust("1 second")
        names.push((yield* pay(`${txid}${last}`)).body["endToEndId"])
      }
      const page =
        "inicio=2026-03-01T15:00:00Z&fim=2026-03-01T16:00:00Z&paginacao.itensPorPagina=2&paginacao.paginaAtual="
      const listed = yield* Effect.forEach([0, 1], (n) => send("GET", `/pix?${page}${n}`))
      assert.deepStrictEqual(
        listed.flatMap(({ body }) => body["pix"]).map((one) => Object.assign({ endToEndId: "" }, one).endToEndId),
        names
      )
      assert.include(JSON.stringify(listed[0]?.body["parametros"]), '"quantidadeDePaginas":2')
      const found = yield* send("GET", `/pix/${String(names[1])}`)
      assert.include(found.body, { txid: `${txid}b`, valor: "19.90", chave: client.key })
      assert.strictEqual((yield* send("GET", "/pix?inicio=yesterday")).status, 400)
    }).pipe(onStore)
  )

  it.effect("is reported to the address of its key until that accepts it, with growing delays", () =>
    Effect.gen(function* () {
      const { pay, received, send } = yield* provider("2026-03-01", [500, 503])
      yield* send("PUT", `/webhook/${client.key}`, { webhookUrl: "https://shop.example/pix-callbacks/secret" })
      yield* send("PUT", `/cob/${txid}`, immediate)
      yield* pay(txid)
      const counts: Array<number> = []
      for (const wait of [0, 4_999, 1, 9_999, 1, 3_600_000]) {
        yield* TestClock.adjust(wait)
        counts.push((yield* received).length)
      }
      assert.deepStrictEqual(counts, [1, 1, 2, 2, 3, 3])
      const [first, ...others] = yield* received
      assert.match(first ?? "", /^https:\/\/shop\.example\/pix-callbacks\/secret\/pix \{"pix":\[\{"endToEndId":"E9/)
      assert.deepStrictEqual(others, [first, first])
    }).pipe(onStore)
  )
})
