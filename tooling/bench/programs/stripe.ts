import { Stripe } from "stripe"
const stripe = new Stripe("secret")
const invoice = { customer: "contract-1", amount: 12_990, currency: "brl" }
const payment = await stripe.paymentIntents.create(invoice, { idempotencyKey: "order-77" })
console.log(payment.status)
for await (const one of stripe.paymentIntents.list({ customer: "contract-1" })) console.log(one.id)
