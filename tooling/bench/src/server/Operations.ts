/**
 * The operations that are measured, as requests over one company's data, and what has to be there before.
 */
import type { FloorRoute } from "./Floor.ts"
import type { Receiver } from "./Receiver.ts"

export interface Target {
  readonly url: string
  readonly basic: string
  readonly bearer: string
  /** Of the company whose events are delivered; its own, so that the others' writes cause no deliveries. */
  readonly hookedBearer: string
}

export interface Operation {
  readonly name: string
  readonly method: "GET" | "POST" | "PUT"
  /** As the floors route it: `:id` stands for what differs from request to request. */
  readonly path: string
  readonly authorization: (target: Target) => string
  readonly request: (unique: string, connection: number) => Request
  /** The exchange is over when this transaction's event has arrived, and not before. */
  readonly delivered?: true
  /** What it is compared with: the same without the key, which is measured beside it in each round. */
  readonly without?: Operation
  /** Measured when it is asked for: what only many rows can make slow. */
  readonly isForMany?: true
}

export interface Request {
  readonly path: string
  readonly body?: unknown
  /** A body that is no JSON, as it is written. */
  readonly form?: string
  /** Its `Idempotency-Key`. */
  readonly key?: string
}

/** Days of this run: a formatter made for each request took 0.5 ms of this process, which shares the machine with the servers. */
const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format()
const daysAgo = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
const later = `${Number(today.slice(0, 4)) + 1}-01-31`
const bearer = ({ bearer }: Target): string => `Bearer ${bearer}`
const customer = { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }

/** Transactions that can be retried, one for each connection: two retries of one at once would be one attempt. */
const deniedOf = (connection: number) => `denied-${connection}`

const add = (name: string, subscription: string, payday: string): Operation => ({
  name,
  method: "POST",
  path: `/v2/transactions/${subscription}/myId/add`,
  authorization: bearer,
  request: (unique) => ({
    path: `/v2/transactions/${subscription}/myId/add`,
    body: { myId: `${subscription}-${unique}`, value: 1990, payday }
  })
})

/** The same under a key, which the server has to remember with its response. */
const keyed = (operation: Operation): Operation => ({
  ...operation,
  without: operation,
  name: `${operation.name} + key`,
  request: (unique, connection) => ({ ...operation.request(unique, connection), key: unique })
})

const list = (name: string, query: string): Operation => ({
  name,
  method: "GET",
  path: `/v2/transactions?${query}`,
  authorization: bearer,
  request: () => ({ path: `/v2/transactions?${query}` })
})

export const operations: ReadonlyArray<Operation> = [
  {
    name: "token",
    method: "POST",
    path: "/v2/token",
    authorization: ({ basic }) => basic,
    request: () => ({ path: "/v2/token", body: { grant_type: "client_credentials" } })
  },
  list("read one", "startAt=0&limit=1&myIds=seed"),
  list("list 100", "startAt=0&limit=100"),
  {
    // Of 1,000 transactions more than a page each, of a million 130,000 and all.
    ...list("list by day", `startAt=0&limit=100&status=captured&payDayFrom=${daysAgo(200)}&payDayTo=${daysAgo(1)}`),
    isForMany: true
  },
  {
    ...list("list of one", "startAt=0&limit=100&status=captured&subscriptionMyIds=seed&order=createdAt.desc"),
    isForMany: true
  },
  {
    name: "create",
    method: "POST",
    path: "/v2/subscriptions/manual",
    authorization: bearer,
    request: (unique) => ({
      path: "/v2/subscriptions/manual",
      body: { myId: `sub-${unique}`, mainPaymentMethodId: "pix", Customer: customer }
    })
  },
  add("add later", "card-later", later),
  keyed(add("add later", "card-later", later)),
  add("add boleto", "boleto", later),
  add("add Pix", "pix", later),
  add("add card today", "card-today", today),
  keyed(add("add card today", "card-today", today)),
  {
    name: "retry",
    method: "PUT",
    path: "/v2/transactions/:id/myId/retry",
    authorization: bearer,
    request: (_unique, connection) => ({ path: `/v2/transactions/${deniedOf(connection)}/myId/retry` })
  },
  {
    ...add("add + delivery", "hooked", later),
    authorization: ({ hookedBearer }) => `Bearer ${hookedBearer}`,
    delivered: true
  }
]

/** What the floor alone has: a bearer to check, some JSON to parse and two bytes to write. The least of any request. */
export const small: Operation = {
  name: "small",
  method: "POST",
  path: "/small",
  authorization: bearer,
  request: () => ({ path: "/small", body: { grant_type: "client_credentials" } })
}

/** The bytes of a request. */
export const bytesOf = (
  { method }: Pick<Operation, "method">,
  authorization: string,
  { body, form, key, path }: Request
): Buffer => {
  const text = form ?? (body === undefined ? "" : JSON.stringify(body))
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded"
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n` +
      (key === undefined ? "" : `idempotency-key: ${key}\r\n`) +
      (text === "" ? "" : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`) +
      `\r\n${text}`
  )
}

const ask = async (
  target: Pick<Target, "url">,
  authorization: string,
  method: string,
  path: string,
  body?: unknown
): Promise<string> => {
  const response = await fetch(target.url + path, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

const basicOf = (clientId: string, secret: string) => `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`

const tokenOf = async (url: string, basic: string): Promise<string> => {
  const text = await ask({ url }, basic, "POST", "/v2/token", { grant_type: "client_credentials" })
  return (JSON.parse(text) as { access_token: string }).access_token
}

export interface Credentials {
  readonly basic: string
  readonly hookedBasic: string
}

/** Tokens live ten minutes: each operation is measured with new ones. */
export const targetOf = async (url: string, { basic, hookedBasic }: Credentials): Promise<Target> => ({
  url,
  basic,
  bearer: await tokenOf(url, basic),
  hookedBearer: await tokenOf(url, hookedBasic)
})

const card = (number: string) => ({
  Card: { number, holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }
})

/** Makes two companies and all that the operations refer to, over the interface. */
export const prepare = async (url: string, receiver: Receiver, connections: number): Promise<Credentials> => {
  const basic = basicOf("sandbox", "sandbox-secret")
  const made = await fetch(`${url}/sandbox/companies`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Hooked", clientId: "hooked", clientSecret: "hooked-secret" })
  })
  if (!made.ok) throw new Error(`No second company: ${made.status} ${await made.text()}`)
  const hookedBasic = basicOf("hooked", "hooked-secret")
  const credentials = { basic, hookedBasic }
  const target = await targetOf(url, credentials)
  const own = bearer(target)
  const hooked = `Bearer ${target.hookedBearer}`
  const subscribe = (authorization: string, myId: string, method: string, number?: string) =>
    ask(target, authorization, "POST", "/v2/subscriptions/manual", {
      myId,
      mainPaymentMethodId: method,
      Customer: customer,
      ...(number === undefined ? {} : { PaymentMethodCreditCard: card(number) })
    })
  const pay = (authorization: string, subscription: string, myId: string, payday: string) =>
    ask(target, authorization, "POST", `/v2/transactions/${subscription}/myId/add`, { myId, value: 1990, payday })

  await subscribe(own, "seed", "creditcard", "4111111111111111")
  await pay(own, "seed", "seed", today)
  for (let index = 1; index < 100; index += 1) await pay(own, "seed", `seed ${index}`, today)
  await subscribe(own, "card-later", "creditcard", "4111111111111111")
  await subscribe(own, "card-today", "creditcard", "4111111111111111")
  await subscribe(own, "boleto", "boleto")
  await subscribe(own, "pix", "pix")
  await subscribe(own, "denied", "creditcard", "4000000000000002")
  for (let index = 0; index < connections; index += 1) await pay(own, "denied", deniedOf(index), today)
  await subscribe(hooked, "hooked", "creditcard", "4111111111111111")
  await ask(target, hooked, "PUT", "/v2/webhooks", { url: receiver.url, events: ["subscription.addTransaction"] })
  return credentials
}

/** What the floors serve: for each operation the server's own response, asked for once. */
export const floorRoutes = async (target: Target, receiver: Receiver): Promise<ReadonlyArray<FloorRoute>> => {
  const routes: Array<FloorRoute> = [
    { method: small.method, path: small.path, requestBody: small.request("", 0).body, response: "{}" }
  ]
  for (const [index, operation] of operations.entries()) {
    const { body, path } = operation.request(`floor-${index}`, 0)
    const response = await ask(target, operation.authorization(target), operation.method, path, body)
    routes.push({
      method: operation.method,
      path: operation.path,
      requestBody: body,
      response,
      ...(operation.delivered === true ? { deliverTo: receiver.url } : {})
    })
  }
  return routes
}
