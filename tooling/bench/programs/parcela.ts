import { Parcela } from "@parcela/client"
const parcela = new Parcela({ baseUrl: "https://api.example.com/v2", clientId: "shop", clientSecret: "secret" })
const contract = { typeId: "myId", id: "contract-1" } as const
const payment = { myId: "payment-1", value: 12_990, payday: "2026-12-10" }
const { Transaction } = await parcela.transactions.add(contract, payment, { idempotencyKey: "order-77" })
console.log(Transaction.status)
for await (const one of parcela.transactions.listAll({ status: ["denied"] })) console.log(one.myId)
