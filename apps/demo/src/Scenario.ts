/**
 * The scenario of the demo: a course is charged in three ways. A card is denied and then captured, a boleto and a Pix are
 * registered, and the receiver accepts the events of each.
 *
 * @since 0.1.0
 */
import * as BankLine from "@parcela/core/boleto/BankLine"
import { addDays } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/Instant"
import { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import type { Transaction } from "@parcela/transport/client/ParcelaModels"
import * as Clock from "effect/Clock"
import * as SandboxClient from "@parcela/transport/sandbox/SandboxClient"
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  folder,
  freePort,
  type Running,
  type SandboxSettings,
  startReceiver,
  startSandbox,
  ScenarioError
} from "./Processes.ts"
import { money, type Timeline } from "./Timeline.ts"

/** Number of deliveries of the scenario. */
const deliveries = 5

const Delivery = Schema.fromJsonString(
  Schema.Struct({
    event: Schema.String,
    webhookId: Schema.Int,
    transaction: Schema.Struct({
      myId: Schema.String,
      status: Schema.String,
      value: Schema.Int
    })
  })
)

const denial = ({ AbecsReasonDenied, status }: Transaction): string =>
  status === "denied" ? `${AbecsReasonDenied?.code} ${AbecsReasonDenied?.message}` : ""

const spaced = (bankLine: string | undefined): string =>
  Result.match(BankLine.parse(bankLine ?? ""), { onFailure: ({ message }) => message, onSuccess: BankLine.format })

const customer = {
  myId: "ana",
  name: "Ana Souza",
  document: "52998224725",
  emails: ["ana@example.com"],
  phones: [11987654321]
}

/** A test card that is denied the first time and captured on the retry. */
const card = { number: "4000000000000341", holder: "ANA SOUZA", expiresAt: "2030-12", cvv: "123" }

/** The client's requests. Each response is added to the timeline. */
const billing = Effect.fn("billing")(function* (timeline: Timeline, server: () => number | undefined) {
  const parcela = yield* ParcelaClient
  const today = dateAt(yield* Clock.currentTimeMillis)
  const inTenDays = addDays(today, 10)
  const call = (what: string, status: string, remark: string) =>
    timeline.note({ who: "client", server: server(), what, mark: "200", status, remark })

  const add = Effect.fnUntraced(function* (subscription: string, myId: string, payday: string) {
    const { Transaction } = yield* parcela.transactions.add(
      { typeId: "myId", id: subscription },
      { myId, value: 19_990, payday }
    )
    yield* call(
      `POST /v2/transactions/${subscription}/myId/add`,
      Transaction.status,
      `${money(Transaction.value)}  ${denial(Transaction)}`
    )
    return Transaction
  })

  const { Subscription } = yield* parcela.subscriptions.createManual({
    myId: "course-card",
    mainPaymentMethodId: "creditcard",
    Customer: customer,
    PaymentMethodCreditCard: { Card: card }
  })
  const shownCard = Subscription.PaymentMethodCreditCard?.Card
  yield* call("POST /v2/subscriptions/manual", Subscription.status, `${shownCard?.Brand?.name} ${shownCard?.number}`)

  yield* add("course-card", "card-1", today)
  const retried = yield* parcela.transactions.retry({ typeId: "myId", id: "card-1" })
  yield* call(
    "PUT  /v2/transactions/card-1/myId/retry",
    retried.Transaction.status,
    `${money(retried.Transaction.value)}  authorization ${retried.Transaction.authorizationCode}`
  )

  for (const method of ["boleto", "pix"] as const) {
    const created = yield* parcela.subscriptions.createManual({
      myId: `course-${method}`,
      mainPaymentMethodId: method,
      Customer: { myId: customer.myId }
    })
    yield* call("POST /v2/subscriptions/manual", created.Subscription.status, `paid by ${method}`)
  }
  const boleto = yield* add("course-boleto", "boleto-1", inTenDays)
  const pix = yield* add("course-pix", "pix-1", inTenDays)
  return {
    bankLine: spaced(boleto.Boleto?.bankLine),
    pdf: boleto.Boleto?.pdf,
    qrCode: pix.Pix?.qrCode,
    page: pix.Pix?.page
  }
})

/** Adds each delivery to the timeline, until all have arrived. */
const receiving = (lines: Stream.Stream<string, unknown>, timeline: Timeline, timeout: Duration.Input) =>
  lines.pipe(
    Stream.filter((line) => line.startsWith("{")),
    Stream.mapEffect((line) => Schema.decodeUnknownEffect(Delivery)(line)),
    Stream.tap(({ event, transaction, webhookId }) =>
      timeline.note({
        who: "receiver",
        what: event,
        mark: `#${webhookId}`,
        status: transaction.status,
        remark: `${money(transaction.value)}  ${transaction.myId}`
      })
    ),
    Stream.take(deliveries),
    Stream.runDrain,
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => {
        const time = Duration.format(Duration.fromInputUnsafe(timeout))
        return Effect.fail(new ScenarioError({ message: `Fewer than ${deliveries} deliveries arrived within ${time}` }))
      }
    })
  )

export interface ScenarioOptions {
  /** The URL of a PostgreSQL database. Defaults to a temporary SQLite file. */
  readonly database?: Redacted.Redacted | undefined
  /** Number of servers that share the PostgreSQL database. Defaults to 1. The client alternates between them. */
  readonly servers?: number | undefined
  /** Timeout for all deliveries. Defaults to 30 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** Called once all processes run. */
  readonly onStarted?: ((running: Processes) => Effect.Effect<void>) | undefined
}

/** The processes of a scenario. */
export interface Processes {
  readonly sandboxes: ReadonlyArray<Running>
  readonly receiver: Running
}

/** Distributes requests over several servers, like a load balancer. */
const roundRobin = (urls: ReadonlyArray<string>) => {
  let sent = 0
  const client = Effect.map(HttpClient.HttpClient, (inner) =>
    HttpClient.make((request, url) => {
      // The index is smaller than the length.
      const { host } = new URL(urls[sent++ % urls.length]!)
      return inner.execute(HttpClientRequest.setUrl(request, Object.assign(new URL(url), { host })))
    })
  )
  return {
    layer: Layer.effect(HttpClient.HttpClient, client),
    /** Returns the number of the server of the last request. The first server is 1. */
    last: () => ((sent - 1) % urls.length) + 1
  }
}

/** Runs the scenario and adds each step to the timeline. Returns the texts for the payer, and the processes. */
export const runScenario = Effect.fn("runScenario")(function* (timeline: Timeline, options: ScenarioOptions = {}) {
  const directory = yield* folder
  const credentials = { clientId: "demo", clientSecret: Redacted.make("demo-secret") }
  const ports = yield* Effect.all(Array.from({ length: options.servers ?? 1 }, () => freePort))
  const settings: SandboxSettings = {
    directory,
    credentials,
    database: options.database ?? Redacted.make(`${directory}/sandbox.db`),
    publicUrl: `http://127.0.0.1:${ports[0]}`
  }
  const sandboxes = yield* Effect.forEach(ports, (port) => startSandbox(port, settings), { concurrency: "unbounded" })
  // A scenario has at least one sandbox.
  const { url } = sandboxes[0]!
  const balancer = roundRobin(sandboxes.map((sandbox) => sandbox.url))
  const client = ParcelaClient.layerNoDeps({ baseUrl: `${url}/v2`, ...credentials }).pipe(
    Layer.provide([balancer.layer, SecureRandom.layerWebCrypto])
  )
  const server = () => (sandboxes.length > 1 ? balancer.last() : undefined)

  return yield* Effect.gen(function* () {
    const parcela = yield* ParcelaClient
    const token = yield* parcela.token()
    yield* timeline.note({
      who: "client",
      server: server(),
      what: "POST /v2/token",
      mark: "200",
      status: token.token_type ?? "",
      remark: `valid for ${token.expires_in} s, ${token.scope?.split(" ").length} scopes`
    })

    const receiverPort = yield* freePort
    const { confirmHash, events } = yield* parcela.webhooks.edit({
      url: `http://127.0.0.1:${receiverPort}/parcela`,
      events: ["subscription.addTransaction", "transaction.updateStatus"]
    })
    yield* timeline.note({
      who: "client",
      server: server(),
      what: "PUT  /v2/webhooks",
      mark: "200",
      status: `${events?.length} events`,
      remark: ""
    })

    const sandbox = yield* SandboxClient.make({ baseUrl: `${url}/sandbox` })
    const keys = yield* sandbox.companies.find(credentials.clientId)
    const receiver = yield* startReceiver(receiverPort, directory, {
      webhookSecret: keys.webhookSecret,
      confirmHash: confirmHash ?? Redacted.make("")
    })
    const processes: Processes = { sandboxes, receiver }
    yield* options.onStarted?.(processes) ?? Effect.void
    const received = yield* Effect.forkScoped(receiving(receiver.lines, timeline, options.timeout ?? "30 seconds"))
    const shown = yield* billing(timeline, server)
    yield* Fiber.join(received)
    return { ...shown, processes, credentials }
  }).pipe(Effect.provide(client))
})
