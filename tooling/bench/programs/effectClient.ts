import { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Effect, Redacted, Stream } from "effect"
const program = Effect.gen(function* () {
  const parcela = yield* ParcelaClient
  const contract = { typeId: "myId", id: "contract-1" } as const
  const payment = { myId: "payment-1", value: 12_990, payday: "2026-12-10" }
  const { Transaction } = yield* parcela.transactions.add(contract, payment, { idempotencyKey: "order-77" })
  yield* Stream.runForEach(parcela.transactions.listAll({ status: ["denied"] }), ({ myId }) => Effect.log(myId))
  return Transaction.status
})
const clientSecret = Redacted.make("secret")
const client = ParcelaClient.layer({ baseUrl: "https://api.example.com/v2", clientId: "shop", clientSecret })
console.log(await Effect.runPromise(Effect.provide(program, client)))
