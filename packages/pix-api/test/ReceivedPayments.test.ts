import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import { ReceivePayments } from "@parcela/engine/payments/IncomingPayments"
import { DateTime, Effect, Layer, Ref } from "effect"
import { PixApiClient, type PixApiRequest } from "../src/PixApiClient.ts"
import { ReceivedPayments } from "../src/ReceivedPayments.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const account = accountAt("https://pix.psp.example")

const nameOf = (n: number) => `E9999999920260310120${String(n).padStart(12, "0")}`

const pixOf = (n: number, changes: object = {}) => ({
  endToEndId: nameOf(n),
  txid: `txid${String(n).padStart(22, "0")}`,
  valor: "19.90",
  horario: "2026-03-10T09:00:00-03:00",
  chave: account.key,
  ...changes
})

const stored = {
  id: 1,
  standing: "applied",
  companyId: undefined,
  transactionId: undefined,
  problem: undefined,
  receivedAt: MachineTime.make(0),
  differing: undefined
} as const

/** The reports and the requests for a response of the provider. */
const reported = Effect.fnUntraced(function* (respond: (request: PixApiRequest) => unknown) {
  const payments = yield* Ref.make<ReadonlyArray<IncomingReport>>([])
  const requested = yield* Ref.make<ReadonlyArray<PixApiRequest>>([])
  const provider = Layer.succeed(PixApiClient, {
    send: (_account, request) =>
      Effect.as(
        Ref.update(requested, (before) => [...before, request]),
        { status: 200, body: respond(request) }
      )
  })
  const engine = Layer.mock(ReceivePayments, {
    receive: (report) =>
      Effect.as(
        Ref.update(payments, (before) => [...before, report]),
        { isNew: true, payment: { ...stored, report } }
      )
  })
  const service = yield* Effect.provide(
    ReceivedPayments,
    ReceivedPayments.layer.pipe(Layer.provide([provider, engine])),
    {
      local: true
    }
  )
  return { service, payments: Ref.get(payments), requested: Ref.get(requested) }
})

const span = { from: DateTime.makeUnsafe("2026-03-10T00:00:00Z"), to: DateTime.makeUnsafe("2026-03-11T00:00:00Z") }

const pageOf = (quantidadeDePaginas: number, pix: ReadonlyArray<unknown>) => ({
  parametros: { paginacao: { quantidadeDePaginas } },
  pix
})

describe("payments that the provider received", () => {
  it.effect("are reported by their end-to-end id, with the charge, the amount and the time", () =>
    Effect.gen(function* () {
      const { requested, payments, service } = yield* reported(() => pixOf(1))
      yield* service.report(account, nameOf(1))
      assert.deepStrictEqual(yield* payments, [
        {
          method: "pix",
          id: nameOf(1),
          reference: { kind: "txid", value: pixOf(1).txid },
          value: Cents.make(1990),
          paidAt: BusinessTime.make(Date.UTC(2026, 2, 10, 12))
        }
      ])
      assert.deepStrictEqual(
        (yield* requested).map(({ path }) => path),
        [`/pix/${nameOf(1)}`]
      )
    })
  )

  it.effect.each([
    { name: "without a txid", changes: { txid: undefined } },
    { name: "with an empty txid", changes: { txid: "" } },
    { name: "with the txid of a static code", changes: { txid: "table7" } },
    { name: "to another key", changes: { chave: "another" } }
  ])("$name are skipped", ({ changes }) =>
    Effect.gen(function* () {
      // As JSON has it: what is undefined is not there.
      const { payments, service } = yield* reported(() => JSON.parse(JSON.stringify(pixOf(1, changes))))
      yield* service.report(account, nameOf(1))
      assert.deepStrictEqual(yield* payments, [])
    })
  )

  it.effect("are read page by page, and an unreadable one does not hide others", () =>
    Effect.gen(function* () {
      const pages = [[pixOf(1), { endToEndId: "?" }], [pixOf(2)], [pixOf(3)]]
      const { requested, payments, service } = yield* reported(({ query }) =>
        pageOf(3, pages[Number(query?.["paginacao.paginaAtual"])] ?? [])
      )
      assert.strictEqual(yield* service.reportAll(account, span), 3)
      assert.deepStrictEqual(
        (yield* payments).map(({ id }) => id),
        [nameOf(1), nameOf(2), nameOf(3)]
      )
      assert.deepStrictEqual((yield* requested)[0]?.query, {
        inicio: "2026-03-10T00:00:00.000Z",
        fim: "2026-03-11T00:00:00.000Z",
        "paginacao.paginaAtual": "0",
        "paginacao.itensPorPagina": "1000"
      })
    })
  )

  it.effect("are not reported if the provider's response is unreadable, and its text is not stored", () =>
    Effect.gen(function* () {
      const { service } = yield* reported(() => ({ nome: "Maria" }))
      const error = yield* Effect.flip(service.report(account, nameOf(1)))
      assert.notInclude(JSON.stringify(error), "Maria")
      assert.strictEqual(error._tag, "ProviderError")
    })
  )
})
