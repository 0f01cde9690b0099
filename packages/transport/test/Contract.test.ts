import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AddPayment } from "@parcela/core/transactions/PaymentRequests"
import { CreateManualSubscription } from "@parcela/core/subscriptions/Subscription"
import { CardNumber, mask } from "@parcela/core/cards/CardNumber"
import { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { interfaceOperations } from "@parcela/test-world/InterfaceOperations"
import { SubscriptionListResponse, SubscriptionResponse } from "../src/contract/Subscriptions.ts"
import { TokenRequest, TokenResponse } from "../src/contract/Token.ts"
import { RetryResponse, TransactionListResponse, TransactionResponse } from "../src/contract/Transactions.ts"
import { WebhooksResponse, webhookRequests } from "../src/contract/Webhooks.ts"
import { operationExamples } from "../src/Contract.ts"
import { errorExamples } from "../src/contract/Examples.ts"
import { webhookExamples } from "../src/internal/openApiWebhooks.ts"
import { examples } from "./fixtures/Examples.ts"
import { openApiDocument } from "../src/OpenApiDocument.ts"

interface Node {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: ReadonlyArray<string>
  readonly items?: Node
  readonly properties?: { readonly [name: string]: Node }
}

interface Parameter {
  readonly name: string
  readonly description?: string
  readonly schema: Node
  readonly explode?: boolean
}

interface Response {
  readonly description: string
  readonly headers: { readonly [name: string]: unknown }
  readonly content: {
    readonly "application/json": {
      readonly schema: unknown
      readonly examples?: { readonly default: { readonly value: unknown } }
    }
  }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: unknown
  readonly parameters: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly requestBody?: { readonly content: object }
  readonly responses: { readonly [code: string]: Response | { readonly $ref: string } }
}

const baseUrl = "http://127.0.0.1:8026/v2"
// The document is JSON; these tests define its content.
const document = openApiDocument({ baseUrl }) as unknown as {
  readonly servers: unknown
  readonly info: { readonly license: unknown }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks: object
  readonly components: {
    readonly schemas: { readonly [name: string]: Node }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly responses: { readonly [name: string]: Response }
    readonly securitySchemes: {
      readonly [name: string]: { readonly scheme: string; readonly flows?: { readonly clientCredentials: object } }
    }
  }
}

/** Returns the component of a reference. */
const resolved = <T extends object>(
  kind: "schemas" | "parameters" | "responses",
  node: T | { readonly $ref: string }
): T => {
  const $ref = "$ref" in node ? String(node.$ref) : undefined
  return $ref === undefined ? (node as T) : (document.components[kind][$ref.split("/").at(-1)!] as unknown as T)
}
const operation = (method: "get" | "post" | "put", path: string) => {
  const found = document.paths[path]?.[method]
  assert.isDefined(found, `${method} ${path}`)
  return found
}
/** Returns a path with parameters in the format of the document. */
const inDocument = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

type Bounds = { readonly [position: string]: (schema: Node) => void }

/** Returns the schema at `Component.field.[].field`. */
const schemaAt = (position: string): Node | undefined => {
  const [component, ...path] = position.split(".")
  return path.reduce<Node | undefined>(
    (schema, step) => {
      const found = step === "[]" ? schema?.items : schema?.properties?.[step]
      return found === undefined ? undefined : resolved("schemas", found)
    },
    document.components.schemas[component ?? ""]
  )
}

describe("Contract", () => {
  it("has every operation under its path and name, with one success and the failures of the code table", () => {
    const served = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${method.toUpperCase()} ${path}: ${operationId}`)
    )
    const expected = interfaceOperations.map(
      ({ method, operationId, path }) => `${method} ${inDocument(path)}: ${operationId}`
    )
    assert.sameMembers(served, expected)
    for (const { method, operationId, path } of interfaceOperations) {
      const { responses } = document.paths[inDocument(path)]![method.toLowerCase()]!
      const codes = Object.keys(responses).map(Number)
      const namesEntity = path.includes(":typeId") || operationId === "createManualSubscription"
      assert.includeMembers(codes, [200, 400, 401, 403, ...(namesEntity ? [404] : [])], operationId)
      assert.deepStrictEqual(
        codes.filter((code) => code < 300),
        [200],
        operationId
      )
    }
  })

  it("has the error node for every failing code", () => {
    for (const item of Object.values(document.paths)) {
      for (const found of Object.values(item)) {
        for (const code of Object.keys(found.responses)) {
          if (Number(code) < 300) continue
          const response = resolved("responses", found.responses[code]!)
          assert.deepStrictEqual(response.content["application/json"].schema, {
            $ref: "#/components/schemas/ErrorNode"
          })
          assert.isNotEmpty(response.description)
        }
      }
    }
  })

  it("requires Basic credentials at /token and a bearer token with one scope everywhere else", () => {
    for (const { method, path, scope } of interfaceOperations) {
      const { description, security } = document.paths[inDocument(path)]![method.toLowerCase()]!
      assert.deepStrictEqual(
        security,
        scope === undefined ? [{ clientCredentials: [] }] : [{ bearerToken: [] }, { oauth2: [scope] }],
        path
      )
      if (scope !== undefined) assert.include(description, `Needs the scope ${scope}.`, path)
    }
    assert.strictEqual(document.components.securitySchemes["clientCredentials"]?.scheme, "basic")
    assert.strictEqual(String(document.components.securitySchemes["bearerToken"]?.scheme).toLowerCase(), "bearer")
  })

  it("accepts a token request as JSON and as a form", () => {
    assert.deepStrictEqual(Object.keys(operation("post", "/token").requestBody!.content), [
      "application/json",
      "application/x-www-form-urlencoded"
    ])
  })

  it("documents an optional Idempotency-Key on every write except /token", () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, found] of Object.entries(item)) {
        const key = found.parameters.map((p) => resolved("parameters", p)).find((p) => p.name === "Idempotency-Key")
        if (method === "get" || path === "/token") assert.isUndefined(key, `${method} ${path}`)
        else
          assert.deepInclude(key as object, {
            in: "header",
            required: false,
            schema: { type: "string", minLength: 1, maxLength: 255 }
          })
      }
    }
  })

  it("shows every bound of interface section 2", () => {
    const text = (length: number) => (schema: Node) => assert.strictEqual(schema.maxLength, length)
    const int = (digits: number) => (schema: Node) =>
      assert.deepStrictEqual(
        [schema.type, schema.maximum],
        ["integer", Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER)]
      )
    const bool = (schema: Node) => assert.strictEqual(schema.type, "boolean")
    const anyText = (schema: Node) => assert.deepStrictEqual([schema.type, schema.maxLength], ["string", undefined])
    const under = (position: string, fields: Bounds): Bounds =>
      Object.fromEntries(Object.entries(fields).map(([name, bound]) => [`${position}.${name}`, bound]))

    const brand: Bounds = { id: text(255), name: text(255), maxInstallment: int(11), operatorIds: anyText }
    const card: Bounds = { myId: text(255), svcPayId: int(11), number: text(30) }
    const payment: Bounds = {
      myId: text(255),
      svcPayId: int(11),
      value: int(11),
      payedOutsideSvcPay: bool,
      additionalInfo: anyText,
      installment: int(11),
      statusDescription: text(255),
      reasonDenied: text(255),
      tid: text(255),
      authorizationCode: text(255),
      "AbecsReasonDenied.code": text(4),
      "AbecsReasonDenied.message": text(255),
      ...under("CreditCard.Card", { ...card, ...under("Brand", brand) })
    }
    const inSubscription: Bounds = {
      ...under("Pix", { qrCode: text(255), reference: text(255), image: text(255), page: text(255) }),
      ...under("Boleto", { pdf: text(255), bankLine: text(255), bankAgency: text(255), bankAccount: text(255) }),
      "Transaction3DS.urlAuthentication": anyText
    }
    const inRetry: Bounds = { subscriptionMyId: text(255), subscriptionSvcPayId: int(11), fee: int(30) }
    const expected: Bounds = {
      ...under("Subscription", { svcPayId: int(11), myId: text(255), additionalInfo: anyText }),
      ...under("Subscription.Customer", {
        svcPayId: int(11),
        myId: text(255),
        name: text(255),
        document: text(14),
        "emails.[]": text(255),
        "phones.[]": int(11)
      }),
      ...under("Subscription.Customer.Address", {
        zipCode: text(8),
        street: text(255),
        number: text(255),
        complement: text(255),
        neighborhood: text(255),
        city: text(255),
        state: text(2)
      }),
      ...under("Subscription.PaymentMethodCreditCard.Card", { ...card, ...under("Brand", brand), isBackup: bool }),
      ...under("Subscription.PaymentMethodBoleto", {
        fine: int(11),
        interest: int(11),
        instructions: text(255),
        deadlineDays: int(11)
      }),
      ...under("Subscription.PaymentMethodPix", {
        fine: int(11),
        interest: int(11),
        instructions: text(255),
        "Deadline.value": int(11)
      }),
      ...under("Subscription.Transactions.[]", { ...payment, ...inSubscription }),
      ...under("Transaction", { ...payment, ...inSubscription, ...inRetry }),
      ...under("TransactionOfRetry", { ...payment, ...inRetry }),
      ...under("RetryResponse.PaymentMethodCreditCard.Card", card),
      ...under("TokenResponse", { access_token: text(255), expires_in: int(11), scope: text(255) }),
      "WebhooksResponse.confirmHash": text(255),
      "ErrorNode.error.message": text(255)
    }
    for (const [position, bound] of Object.entries(expected)) {
      const schema = schemaAt(position)
      assert.isDefined(schema, position)
      bound(schema)
    }
    for (const name of Object.keys(inRetry)) assert.isUndefined(schemaAt(`Subscription.Transactions.[].${name}`))
    for (const name of Object.keys(inSubscription)) assert.isUndefined(schemaAt(`TransactionOfRetry.${name}`))
    for (const name of ["Brand", "isBackup"]) {
      assert.isUndefined(schemaAt(`RetryResponse.PaymentMethodCreditCard.Card.${name}`))
    }
  })

  it("describes the texts of a query", () => {
    const found = operation("get", "/transactions").parameters.map((p) => resolved("parameters", p))
    const limit = found.find(({ name }) => name === "limit")
    assert.deepInclude(limit as object, { required: true, schema: { type: "integer", minimum: 1, maximum: 100 } })
    const status = found.find(({ name }) => name === "status")
    assert.strictEqual(resolved("schemas", status!.schema.items!).enum?.length, 19)
    assert.strictEqual(status?.explode, false)
  })

  it("has a summary, a description and valid examples for every operation", () => {
    for (const item of Object.values(document.paths)) {
      for (const found of Object.values(item)) {
        assert.isNotEmpty(found.summary)
        assert.isNotEmpty(found.description)
        for (const [code, response] of Object.entries(found.responses)) {
          const { content, headers } = resolved("responses", response)
          assert.isDefined(content["application/json"].examples?.default.value, `${found.operationId} ${code}`)
          assert.isDefined(headers["X-Request-Id"])
          assert.strictEqual("WWW-Authenticate" in headers, code === "401")
          assert.strictEqual("Retry-After" in headers, code === "429" || code === "503")
        }
      }
    }
    const reads = (schema: Schema.ConstraintDecoder<unknown>, value: unknown) =>
      Schema.decodeUnknownSync(schema, { errors: "all", onExcessProperty: "error" })(value)
    reads(TokenRequest, examples.createToken.request)
    reads(TokenResponse, examples.createToken.response)
    reads(CreateManualSubscription, examples.createManualSubscription.request)
    reads(SubscriptionResponse, examples.createManualSubscription.response)
    reads(SubscriptionListResponse, examples.listSubscriptions.response)
    reads(AddPayment, examples.addTransaction.request)
    reads(TransactionResponse, examples.addTransaction.response)
    reads(TransactionListResponse, examples.listTransactions.response)
    reads(RetryResponse, examples.retryTransaction.response)
    reads(EditWebhooks, examples.editWebhooks.request)
    reads(WebhooksResponse, examples.editWebhooks.response)
    for (const [event, example] of Object.entries(webhookExamples)) {
      reads(webhookRequests[event as keyof typeof webhookRequests] as Schema.ConstraintDecoder<unknown>, example)
    }
    const errors = [errorExamples, ...[...operationExamples.values()].map(({ errors = {} }) => errors)].flatMap(
      (table) => Object.values(table)
    )
    for (const error of errors) reads(ErrorNode, error)
  })

  it("has the URL of the server and the licence", () => {
    assert.deepStrictEqual(document.servers, [{ url: baseUrl, description: "This server" }])
    assert.deepStrictEqual(document.info.license, { name: "MIT", identifier: "MIT" })
    assert.deepInclude(document.components.securitySchemes["oauth2"]!.flows!.clientCredentials, {
      tokenUrl: `${baseUrl}/token`
    })
  })

  it("has names that code generators accept", () => {
    for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Z][A-Za-z0-9]*$/u)
  })

  it("has every object as a shared component", () => {
    const inlined: Array<string> = []
    const look = (node: unknown, position: string, isComponent: boolean): void => {
      if (typeof node !== "object" || node === null) return
      if ("properties" in node && "type" in node && node.type === "object" && !isComponent) inlined.push(position)
      for (const [key, value] of Object.entries(node)) {
        const isRoot = /^\/components\/schemas$/u.test(position)
        if (key !== "examples") look(value, `${position}/${key}`, isRoot)
      }
    }
    look(document, "", false)
    assert.deepStrictEqual(inlined, [])
  })

  it("describes every property and every parameter", () => {
    const bare: Array<string> = []
    let count = 0
    const look = (node: unknown, position: string): void => {
      if (typeof node !== "object" || node === null) return
      const { in: where, name, properties } = node as { in?: string; name?: string; properties?: Record<string, Node> }
      const described = (described: { readonly description?: string }, at: string) => {
        count += 1
        if ((described.description ?? "").length < 4) bare.push(at)
      }
      if (typeof where === "string" && typeof name === "string") described(node as Node, `${position}:${name}`)
      for (const [key, property] of Object.entries(properties ?? {})) described(property, `${position}.${key}`)
      for (const [key, value] of Object.entries(node)) if (key !== "examples") look(value, `${position}/${key}`)
    }
    look(document, "")
    assert.deepStrictEqual(bare, [])
    assert.isAbove(count, 220)
  })

  it("describes the unit of money, percentages, times and numbers", () => {
    const descriptions = (position: string, words: RegExp) => {
      const [component, field] = position.split(".") as [string, string]
      assert.match(document.components.schemas[component]?.properties?.[field]?.description ?? "", words, position)
    }
    for (const position of ["Transaction.value", "Transaction.fee", "AddPayment.value", "PaymentBill.value"]) {
      descriptions(position, /\bcents\b/u)
    }
    for (const method of ["PaymentMethodBoleto", "PaymentMethodPix"]) {
      for (const field of ["fine", "interest"])
        descriptions(`${method}.${field}`, /hundredths of a percent: \d+ is \d\.\d\d %/u)
    }
    for (const [component, { properties }] of Object.entries(document.components.schemas)) {
      for (const [field, schema] of Object.entries(properties ?? {})) {
        const { format, pattern = "" } = schema as { readonly format?: string; readonly pattern?: string }
        const position = `${component}.${field}`
        if (format === "date") descriptions(position, /YYYY-MM-DD/u)
        if (pattern.includes("\\d{2} ([01]")) descriptions(position, /YYYY-MM-DD HH:MM:SS, Brazil time/u)
        if (field === "document") descriptions(position, /digits only/u)
        if (field === "expiresAt") descriptions(position, /YYYY-MM\b/u)
        if (field === "expires_in") descriptions(position, /seconds/u)
      }
    }
  })

  it("has the pattern of every text with a pattern", () => {
    const patternOf = (position: string) => (schemaAt(position) as { readonly pattern?: string } | undefined)?.pattern
    for (const card of ["CardOfRetry", "CardOfTransaction", "CardOfSubscription", "NewCard"]) {
      assert.strictEqual(patternOf(`${card}.expiresAt`), "^\\d{4}-(0[1-9]|1[0-2])$")
    }
    assert.strictEqual(patternOf("NewCard.cvv"), "^\\d{3,4}$")
    assert.strictEqual(patternOf("CustomerInput.emails.[]"), "^[^\\s@]+@[^\\s@]+$")
    assert.strictEqual(patternOf("CustomerInput.document"), "^(\\d{11}|\\d{14})$")
    assert.strictEqual(patternOf("Customer.document"), "^(\\d{11}|\\d{14})$")
  })

  it("forbids unknown keys in requests, and allows them in responses", () => {
    const { schemas } = document.components
    const isOpen = (name: string) => assert.notProperty(schemas[name], "additionalProperties", name)
    const isClosed = (name: string) => assert.propertyVal(schemas[name], "additionalProperties", false, name)
    for (const name of Object.keys(schemas)) if (/(?:Response|Event)$|^(?:Transaction|Card)Of/u.test(name)) isOpen(name)
    for (const name of ["Subscription", "Customer", "Address", "Brand", "ErrorNode"]) isOpen(name)
    for (const name of ["CreateManualSubscription", "CustomerInput", "NewCard", "AddPayment", "EditWebhooks"])
      isClosed(name)
    // An entity of requests and responses is open, and closed where a request refers to it.
    assert.propertyVal(schemas["CustomerInput"]?.properties?.["Address"], "unevaluatedProperties", false)
    assert.notProperty(schemas["Customer"]?.properties?.["Address"], "unevaluatedProperties")
  })

  it("has the six events with their data", () => {
    assert.sameMembers(Object.keys(document.webhooks), [...WebhookEvent.literals])
    assert.property(document.components.schemas["TransactionUpdateStatusEvent"]?.properties, "Transaction")
  })

  it("shows cards as the service masks them", () => {
    const shown = examples.retryTransaction.response.PaymentMethodCreditCard.Card.number
    assert.strictEqual(
      shown,
      mask(CardNumber.make(examples.createManualSubscription.request.PaymentMethodCreditCard.Card.number))
    )
  })

  it("uses the names of a deployment everywhere except in its URL", () => {
    const text = JSON.stringify(openApiDocument({ baseUrl, naming: galaxPay }))
    assert.notMatch(text, /svcPay/iu)
    const count = (text: string, word: RegExp) => [...text.matchAll(word)].length
    // Under another naming profile the examples have no numbers that are null.
    const own = JSON.stringify(document).replace(/"\w*svcPayId":null/giu, "")
    assert.strictEqual(count(text, /[gG]alaxPay/gu), count(own, /svcPay/giu))
    const elsewhere = openApiDocument({ baseUrl: "https://svcPay.example/v2", naming: galaxPay })
    assert.deepInclude(elsewhere["servers"], { url: "https://svcPay.example/v2", description: "This server" })
  })
})
