/** The operations that are measured, as requests about one company, and the data that they need. */

export interface Operation {
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: string
  /** Authorized by the client's credentials instead of a token. */
  readonly isBasic?: true
  /** `unique` is a number that was not used before. */
  readonly body?: (unique: number) => unknown
  /** True if it has an `Idempotency-Key`. */
  readonly hasKey?: true
}

const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format()
const later = `${Number(today.slice(0, 4)) + 1}-01-31`
const customer = { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }

/** A valid CPF. */
const cpfOf = (number: number): string => {
  const checked = (digits: string) => {
    const sum = Array.from(digits).reduce((sum, digit, index) => sum + Number(digit) * (digits.length + 1 - index), 0)
    return `${digits}${((sum * 10) % 11) % 10}`
  }
  return checked(checked(String(100_000_000 + number)))
}

const add = (name: string, subscription: string, payday: string): Operation => ({
  name,
  method: "POST",
  path: `/v2/transactions/${subscription}/myId/add`,
  body: (unique) => ({ myId: `${subscription}-${unique}`, value: 1990, payday })
})

const addLater = add("add later", "card-later", later)

export const operations: ReadonlyArray<Operation> = [
  { name: "read one", method: "GET", path: "/v2/transactions?startAt=0&limit=1&myIds=seed-0" },
  { name: "list 100", method: "GET", path: "/v2/transactions?startAt=0&limit=100" },
  {
    name: "token",
    method: "POST",
    path: "/v2/token",
    isBasic: true,
    body: () => ({ grant_type: "client_credentials" })
  },
  {
    name: "create customer",
    method: "POST",
    path: "/v2/customers",
    body: (unique) => ({ ...customer, myId: `customer-${unique}`, document: cpfOf(unique) })
  },
  addLater,
  { ...addLater, name: "add later + key", hasKey: true },
  add("card payment", "card-today", today)
]

/** The address of a server, and the authorization of each request. */
export interface Target {
  readonly url: string
  readonly basic: string
  readonly bearer: string
}

/** The bytes of a request. */
export const bytesOf = (operation: Operation, { basic, bearer }: Target, unique: number): Buffer => {
  const { body, hasKey, isBasic, method, path } = operation
  const value = body?.(unique)
  const text = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)
  const type = typeof value === "string" ? "application/x-www-form-urlencoded" : "application/json"
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${isBasic === true ? basic : bearer}\r\n` +
      (hasKey === true ? `idempotency-key: ${unique}\r\n` : "") +
      (text === "" ? "" : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`) +
      `\r\n${text}`
  )
}

const request = async (
  url: string,
  authorization: string,
  method: string,
  path: string,
  body?: unknown
): Promise<string> => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

const basic = `Basic ${Buffer.from("sandbox:sandbox-secret").toString("base64")}`

/** A target with a new token, which is valid for ten minutes. */
export const targetOf = async (url: string): Promise<Target> => {
  const text = await request(url, basic, "POST", "/v2/token", { grant_type: "client_credentials" })
  const { access_token } = JSON.parse(text) as { readonly access_token: string }
  return { url, basic, bearer: `Bearer ${access_token}` }
}

/** Creates what the operations refer to. */
export const prepare = async (url: string): Promise<void> => {
  const { bearer } = await targetOf(url)
  for (const myId of ["seed", "card-later", "card-today"]) {
    await request(url, bearer, "POST", "/v2/subscriptions/manual", {
      myId,
      mainPaymentMethodId: "creditcard",
      Customer: customer,
      PaymentMethodCreditCard: {
        Card: { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }
      }
    })
  }
  for (let index = 0; index < 100; index += 1) {
    const body = { myId: `seed-${index}`, value: 1990, payday: today }
    await request(url, bearer, "POST", "/v2/transactions/seed/myId/add", body)
  }
}

/** The server's own response to each operation, by method and path: what the floors serve. */
export const responsesOf = async ({ basic, bearer, url }: Target): Promise<Readonly<Record<string, string>>> => {
  const responses: Record<string, string> = {}
  for (const { body, isBasic, method, path } of operations) {
    const authorization = isBasic === true ? basic : bearer
    // Operations with the same path share a response.
    responses[`${method} ${path}`] ??= await request(url, authorization, method, path, body?.(0))
  }
  return responses
}
