/**
 * `@cloudcommerce/app-galaxpay`, unmodified, against a sandbox named galaxPay. The platform that it is a function of is not
 * installed: `cloud` has what the app asks of it. The base URL that is written in it is changed on its way out.
 */
import { createTransaction } from "@cloudcommerce/app-galaxpay"
import { galaxpay } from "@cloudcommerce/app-galaxpay/events"
import { receiver } from "./replay/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import axios, { getAdapter } from "axios"
import { Effect, Redacted, Result } from "effect"
import { vi } from "vitest"

/** The app of a company of its own. */
const install = Effect.gen(function* () {
  const { baseUrl, clientId, clientSecret } = yield* SandboxServer.companyOf()
  const send = getAdapter("http")
  const { adapter } = axios.defaults
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      vi.stubEnv("GALAXPAY_ID", clientId)
      vi.stubEnv("GALAXPAY_HASH", Redacted.value(clientSecret))
      vi.stubEnv("GCLOUD_PROJECT", "shop")
      axios.defaults.adapter = (request) => send({ ...request, baseURL: baseUrl })
    }),
    () =>
      Effect.sync(() => {
        vi.unstubAllEnvs()
        Object.assign(axios.defaults, { adapter })
      })
  )
  const { data } = yield* Effect.promise(() =>
    axios.post<{ readonly access_token: string }>(
      "/token",
      { grant_type: "authorization_code" },
      { auth: { username: clientId, password: Redacted.value(clientSecret) } }
    )
  )
  const headers = { authorization: `Bearer ${data.access_token}` }
  return {
    /** The public requests of the sandbox. */
    get: <Body>(path: string) =>
      Effect.map(
        Effect.promise(() => axios.get<Body>(path, { headers })),
        ({ data }) => data
      ),
    put: (path: string, body: object) => Effect.promise(() => axios.put<unknown>(path, body, { headers }))
  }
})

/** The order of a plan, as the platform hands it to the app. */
const order = (code: "account_deposit" | "banking_billet" | "credit_card", beside: object = {}) => {
  const order_id = crypto.randomUUID().replaceAll("-", "").slice(0, 24)
  return {
    application: {
      data: {
        plans: [{ periodicity: "Mensal", quantity: 0, label: "Clube" }],
        pix: { add_days: 5 },
        banking_billet: { add_days: 5 }
      },
      hidden_data: {}
    },
    params: {
      order_id,
      order_number: 104,
      type: "recurrence",
      amount: { total: 129.9 },
      payment_method: { code, name: "Clube - GalaxPay" },
      buyer: {
        customer_id: `${order_id}c`,
        fullname: "Maria Souza",
        doc_number: "52998224725",
        email: "maria@example.com",
        phone: { number: "11987654321" }
      },
      to: {
        zip: "30130000",
        street: "Rua A",
        number: 10,
        borough: "Centro",
        city: "Belo Horizonte",
        province_code: "MG",
        complement: "apto 1"
      },
      ...beside
    }
  }
}

interface Subscriptions {
  readonly Subscriptions: ReadonlyArray<{ readonly value: number; readonly status: string; readonly quantity: number }>
}

const subscriptionOf = ({ params }: ReturnType<typeof order>) =>
  `/subscriptions?myIds=${params.order_id}&startAt=0&limit=1`

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("@cloudcommerce/app-galaxpay", (it) => {
  it.effect("makes an order recur by Pix and by boleto; it waits for its payment, and has no link yet", () =>
    Effect.gen(function* () {
      const { get } = yield* install
      for (const code of ["account_deposit", "banking_billet"] as const) {
        const placed = order(code)
        const { transaction } = yield* Effect.promise(() => createTransaction(placed))
        assert.deepInclude(transaction, { payment_link: null })
        assert.strictEqual(transaction?.status.current, "pending")
        const { Subscriptions } = yield* get<Subscriptions>(subscriptionOf(placed))
        assert.deepInclude(Subscriptions[0], { value: 12990, status: "active", quantity: 0 })
      }
    })
  )

  it.effect("asks for deliveries when it is set up", () =>
    Effect.gen(function* () {
      yield* install
      const requested = yield* Effect.promise(() =>
        galaxpay.onStoreEvent({ evName: "applications-dataSet", apiEvent: {}, apiDoc: {}, app: {} })
      )
      assert.deepInclude(requested?.data, {
        type: true,
        events: ["subscription.addTransaction", "transaction.updateStatus"]
      })
    })
  )

  it.effect("cannot pay by card: the page makes a hash of it, which is not taken", () =>
    Effect.gen(function* () {
      const { get } = yield* install
      const placed = order("credit_card", { credit_card: { hash: "9f86d081884c7d65" } })
      const refused = yield* Effect.promise(() => createTransaction(placed))
      assert.deepInclude(refused, { status: 409, error: "GALAXPAY_TRANSACTION_ERR" })
      assert.lengthOf((yield* get<Subscriptions>(subscriptionOf(placed))).Subscriptions, 0)
    })
  )

  // What the client does by itself: it takes the data of a document for the document.
  it.effect("has faults of its own: a delivery is a 500, and an order that is cancelled is not", () =>
    Effect.gen(function* () {
      const { get, put } = yield* install
      const { next, url } = yield* receiver
      yield* put("/webhooks", { url, events: ["subscription.addTransaction"] })
      const placed = order("account_deposit")
      yield* Effect.promise(() => createTransaction(placed))
      const delivery = yield* next("subscription.addTransaction")
      const status = yield* Effect.callback<number>((resume) => {
        const sendStatus = (status: number) => resume(Effect.succeed(status))
        const respond = (status: number) => ({ send: () => sendStatus(status) })
        galaxpay.webhook({ method: "POST", body: delivery }, { sendStatus, status: respond })
      })
      assert.strictEqual(status, 500)
      const { order_id } = placed.params
      const cancelling = yield* Effect.result(
        Effect.tryPromise(() =>
          galaxpay.onStoreEvent({ evName: "orders-cancelled", apiEvent: {}, apiDoc: { _id: order_id }, app: {} })
        )
      )
      assert.include(String(Result.isFailure(cancelling) && cancelling.failure.cause), "data is not a function")
      assert.strictEqual((yield* get<Subscriptions>(subscriptionOf(placed))).Subscriptions[0]?.status, "active")
    })
  )
})
