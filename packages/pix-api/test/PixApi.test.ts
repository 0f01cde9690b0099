import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import { ProviderLedger } from "@parcela/provider-simulator/ProviderLedger"
import { Fault, FaultPlan } from "@parcela/provider-simulator/InjectedFailures"
import { chargeOf, pixRequestOf, suite } from "@parcela/provider-tests/PixProviderSuite"
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { PixAccounts } from "../src/PixAccount.ts"
import * as PixApi from "../src/PixApi.ts"
import { accountAt, adapter, bodyOf, pay, until } from "./fixtures/Simulator.ts"

suite("API Pix over HTTP", adapter())

const fresh = Effect.provide(adapter(), { local: true })

const request = pixRequestOf(42)
const txid = "test0000000000000000000042"

const open = (changes: Partial<typeof request> = {}) =>
  PixProvider.use((provider) => provider.open({ ...request, ...changes }))

const cancel = PixProvider.use((provider) => provider.cancel({ ...request, attemptId: AttemptId.make("cancel") }))

const next = (...planned: Parameters<FaultPlan["Service"]["next"]>) => FaultPlan.use((plan) => plan.next(...planned))

/** The changes of such calls at the provider. */
const effects = (call: "open" | "cancel") =>
  Effect.gen(function* () {
    const entries = yield* ProviderLedger.use((ledger) => ledger.all())
    return entries.filter((entry) => entry.call === call).map(({ effect }) => effect)
  })

describe("a charge", () => {
  it.effect("with a deadline in days has a due date, with fine, interest and discount in the format of API Pix", () =>
    Effect.gen(function* () {
      const discount = { qtdDaysBeforePayDay: 5, type: "percent", value: 250 } as const
      const charge = chargeOf(
        yield* open({
          at: BusinessTime.make(Date.UTC(2026, 2, 1)),
          terms: { fine: 200, interest: 100, instructions: "x".repeat(200), Discount: discount }
        })
      )
      assert.strictEqual(charge.txid, txid)
      assert.deepInclude(yield* bodyOf("cobv", txid), {
        valor: {
          original: "129.90",
          multa: { modalidade: 2, valorPerc: "2.00" },
          juros: { modalidade: 3, valorPerc: "1.00" },
          desconto: { modalidade: 2, descontoDataFixa: [{ data: "2026-03-05", valorPerc: "2.50" }] }
        },
        devedor: { cpf: "52998224725", nome: "Maria da Silva" },
        chave: "pix@parcela.example",
        solicitacaoPagador: "x".repeat(140),
        txid,
        revisao: 0,
        status: "ATIVA",
        pixCopiaECola: charge.qrCode
      })
    }).pipe(fresh)
  )

  it.effect.each([
    { named: 3, written: 3 },
    { named: undefined, written: 30 }
  ])("can be paid after its due date for the number of days in its terms: $named", ({ named, written }) =>
    Effect.gen(function* () {
      yield* open({ terms: named === undefined ? {} : { Deadline: { type: "days", value: named } } })
      assert.deepStrictEqual((yield* bodyOf("cobv", txid))["calendario"], {
        criacao: "1970-01-01T00:00:00.000Z",
        dataDeVencimento: "2026-03-10",
        validadeAposVencimento: written
      })
    }).pipe(fresh)
  )

  it.effect("with a deadline in minutes is immediate, and expires that many seconds after its creation", () =>
    Effect.gen(function* () {
      yield* open({ terms: { Deadline: { type: "minutes", value: 30 } } })
      const { calendario, valor } = yield* bodyOf("cob", txid)
      assert.deepStrictEqual(calendario, { criacao: "1970-01-01T00:00:00.000Z", expiracao: 1_800 })
      assert.deepStrictEqual(valor, { original: "129.90" })
    }).pipe(fresh)
  )

  it.effect("with a past due date is due on the company's current day, without the expired discount", () =>
    Effect.gen(function* () {
      const Discount = { qtdDaysBeforePayDay: 1, type: "fixed", value: 100 } as const
      yield* open({ dueDate: LocalDate.make("2026-02-01"), terms: { Discount } })
      const { calendario, valor } = yield* bodyOf("cobv", txid)
      assert.propertyVal(calendario, "dataDeVencimento", "2026-03-09")
      assert.deepStrictEqual(valor, { original: "129.90" })
    }).pipe(fresh)
  )

  it.effect("with a discount date before the calendar begins is opened without a discount", () =>
    Effect.gen(function* () {
      const Discount = { qtdDaysBeforePayDay: 1_000_000, type: "fixed", value: 100 } as const
      yield* open({ terms: { Discount } })
      const { valor } = yield* bodyOf("cobv", txid)
      assert.deepStrictEqual(valor, { original: "129.90" })
    }).pipe(fresh)
  )

  it.effect("of another caller under our txid is left unchanged, and the payment is denied", () =>
    Effect.gen(function* () {
      yield* open()
      const outcome = yield* open({ value: Cents.make(1) })
      assert.deepInclude(outcome, { _tag: "FinallyDenied", code: "txidTaken" })
      const { revisao, valor } = yield* bodyOf("cobv", txid)
      assert.deepStrictEqual([revisao, valor], [0, { original: "129.90" }])
    }).pipe(fresh)
  )

  it.effect("that API Pix cannot represent is denied without a request", () =>
    Effect.gen(function* () {
      assert.propertyVal(yield* open({ value: Cents.make(0) }), "code", "invalidCharge")
      const payer = { ...request.payer, document: "123" }
      assert.propertyVal(yield* open({ payer }), "code", "invalidCharge")
      assert.deepStrictEqual(yield* ProviderLedger.use((ledger) => ledger.all()), [])
    }).pipe(fresh)
  )

  it.effect("that was removed is not opened again", () =>
    Effect.gen(function* () {
      yield* open()
      yield* cancel
      assert.propertyVal(yield* open(), "code", "removed")
    }).pipe(fresh)
  )
})

describe("a charge after a failure", () => {
  const cases = [
    { fault: Fault.Unavailable(), done: [], said: "(503)" },
    { fault: Fault.RequestLost(), done: [], said: "no response (TransportError)" },
    { fault: Fault.ResponseLost(), done: ["registered"], said: "no response (TransportError)" }
  ]
  it.effect.each(cases.map((one) => ({ ...one, name: one.fault._tag })))(
    "has an unknown outcome ($name), and is one charge after a repeated request",
    ({ done, fault, said }) =>
      Effect.gen(function* () {
        yield* next("open", fault)
        assert.include(String((yield* Effect.flip(open())).cause), said)
        assert.deepStrictEqual(
          (yield* effects("open")).filter((effect) => effect !== "none"),
          done
        )
        const charge = chargeOf(yield* open())
        assert.deepStrictEqual(chargeOf(yield* open({ attemptId: AttemptId.make("another") })), charge)
        assert.deepStrictEqual(
          (yield* effects("open")).filter((effect) => effect !== "none"),
          ["registered"]
        )
      }).pipe(fresh)
  )

  it.effect.each([{ isDone: true }, { isDone: false }])(
    "has an unknown outcome when the provider hangs (done: $isDone), although its caller is uninterruptible",
    ({ isDone }) =>
      Effect.gen(function* () {
        yield* next("open", Fault.Hang({ isDone }))
        const opening = yield* Effect.forkChild(Effect.uninterruptible(Effect.flip(open())), { startImmediately: true })
        yield* until(FaultPlan.use(({ planned }) => Effect.map(planned, (plan) => plan.length === 0)))
        yield* TestClock.adjust("8 seconds")
        assert.include(String((yield* Fiber.join(opening)).cause), "PUT /cobv: no response within 8s")
        chargeOf(yield* open())
        assert.deepStrictEqual(
          (yield* effects("open")).filter((effect) => effect !== "none"),
          ["registered"]
        )
      }).pipe(fresh)
  )

  it.effect("that arrives twice is one charge", () =>
    Effect.gen(function* () {
      yield* next("open", Fault.Duplicated())
      chargeOf(yield* open())
      assert.deepStrictEqual(yield* effects("open"), ["registered", "none"])
    }).pipe(fresh)
  )

  it.effect("that the provider refuses is denied for good, with the provider's own message", () =>
    Effect.gen(function* () {
      yield* next("open", Fault.Denied({ code: "CobVOperacaoInvalida", message: "A conta está encerrada" }))
      assert.deepStrictEqual(yield* open(), {
        _tag: "FinallyDenied",
        code: "CobVOperacaoInvalida",
        message: "A conta está encerrada"
      })
    }).pipe(fresh)
  )

  it.effect("is looked up before a write, and remains unknown if the provider cannot answer", () =>
    Effect.gen(function* () {
      yield* next("lookup", Fault.Unavailable())
      assert.include(String((yield* Effect.flip(open())).cause), "GET /cobv: Uma falha planejada (503)")
      assert.deepStrictEqual(yield* effects("open"), [])
    }).pipe(fresh)
  )
})

describe("a cancellation", () => {
  it.effect("of an immediate charge finds it", () =>
    Effect.gen(function* () {
      yield* open({ terms: { Deadline: { type: "minutes", value: 30 } } })
      assert.deepStrictEqual(yield* cancel, { _tag: "Cancelled" })
      assert.propertyVal(yield* bodyOf("cob", txid), "status", "REMOVIDA_PELO_USUARIO_RECEBEDOR")
    }).pipe(fresh)
  )

  it.effect("whose response is lost is found done by a repeated request, once", () =>
    Effect.gen(function* () {
      yield* open()
      yield* next("cancel", Fault.ResponseLost())
      assert.strictEqual((yield* Effect.flip(cancel))._tag, "ProviderError")
      assert.deepStrictEqual(yield* cancel, { _tag: "Cancelled" })
      assert.deepStrictEqual(yield* effects("cancel"), ["canceled"])
    }).pipe(fresh)
  )

  it.effect("of a paid charge is denied, and the charge remains paid", () =>
    Effect.gen(function* () {
      yield* open()
      yield* pay(txid)
      assert.propertyVal(yield* cancel, "code", "paid")
      assert.propertyVal(yield* bodyOf("cobv", txid), "status", "CONCLUIDA")
    }).pipe(fresh)
  )

  it.effect.each([
    { says: "REMOVIDA_PELO_USUARIO_RECEBEDOR", is: "ATIVA", outcome: "Cancelled" },
    { says: "CONCLUIDA", is: "ATIVA", outcome: "FinallyDenied" },
    // What the response does not say is looked up.
    { says: "ATIVA", is: "CONCLUIDA", outcome: "FinallyDenied" },
    { says: undefined, is: "REMOVIDA_PELO_PSP", outcome: "Cancelled" },
    { says: "ATIVA", is: "ATIVA", outcome: "ProviderError" },
    { says: undefined, is: "ATIVA", outcome: "ProviderError" }
  ])("whose response says $says about a charge that is $is has the outcome $outcome", ({ is, outcome, says }) =>
    Effect.gen(function* () {
      let patched = false
      const charge = (status: string) => ({ txid, status, chave: "pix@parcela.example", valor: { original: "129.90" } })
      const http = HttpClient.make((sent) => {
        const bodyOf = () => {
          if (sent.method === "POST") return { access_token: "t", expires_in: 3_600 }
          if (sent.method === "GET") return charge(patched ? is : "ATIVA")
          patched = true
          return says === undefined ? {} : charge(says)
        }
        return Effect.succeed(HttpClientResponse.fromWeb(sent, Response.json(bodyOf())))
      })
      const provided = PixApi.layer().pipe(
        Layer.provide([
          Layer.succeed(HttpClient.HttpClient, http),
          PixAccounts.layerOne(accountAt("https://pix.psp.example"))
        ])
      )
      const result = yield* Effect.provide(Effect.match(cancel, { onFailure: (e) => e, onSuccess: (o) => o }), provided)
      assert.strictEqual(result._tag, outcome)
    })
  )

  it.effect("that the provider refuses leaves the charge unchanged", () =>
    Effect.gen(function* () {
      yield* open()
      yield* next("cancel", Fault.Denied({ code: "CobVOperacaoInvalida", message: "Agora não" }))
      assert.propertyVal(yield* cancel, "message", "Agora não")
      assert.propertyVal(yield* bodyOf("cobv", txid), "status", "ATIVA")
    }).pipe(fresh)
  )
})
