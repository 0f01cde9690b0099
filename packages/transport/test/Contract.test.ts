import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { AddPayment } from "@parcela/core/AddPayment"
import { CreateManualSubscription } from "@parcela/core/CreateManualSubscription"
import { EditWebhooks } from "@parcela/core/EditWebhooks"
import * as Answers from "../src/Answers.ts"
import { Contract } from "../src/Contract.ts"
import { examples } from "../src/Examples.ts"
import { TokenRequest } from "../src/TokenRequest.ts"

interface Node {
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

interface Operation {
  readonly summary: string
  readonly description: string
  readonly security: unknown
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly schema: Node; readonly explode?: boolean }>
  readonly requestBody?: { readonly content: object }
  readonly responses: {
    readonly [code: string]: {
      readonly description: string
      readonly content: { readonly "application/json": { readonly schema: unknown; readonly example?: unknown } }
    }
  }
}

const document = OpenApi.fromApi(Contract) as unknown as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: Node }
    readonly securitySchemes: { readonly [name: string]: { readonly scheme: string } }
  }
}
const operation = (method: "get" | "post" | "put", path: string) => {
  const found = document.paths[path]?.[method]
  assert.isDefined(found, `${method} ${path}`)
  return found
}
type Bounds = { readonly [place: string]: (schema: Node) => void }

/** The schema at `Component.field.[].field`. */
const schemaAt = (place: string): Node | undefined => {
  const [component, ...path] = place.split(".")
  return path.reduce<Node | undefined>(
    (schema, step) => (step === "[]" ? schema?.items : schema?.properties?.[step]),
    document.components.schemas[component ?? ""]
  )
}

describe("Contract", () => {
  it("has every operation of interface section 4 and its code table", () => {
    const codes = {
      "post /v2/subscriptions/manual": [200, 400, 401, 403, 404],
      "post /v2/token": [200, 400, 401, 403],
      "put /v2/transactions/{transactionId}/{typeId}/retry": [200, 400, 401, 403, 404],
      "put /v2/webhooks": [200, 400, 401, 403],
      "post /v2/transactions/{subscriptionId}/{typeId}/add": [200, 400, 401, 403, 404],
      "get /v2/subscriptions": [200, 400, 401, 403],
      "get /v2/transactions": [200, 400, 401, 403]
    }
    for (const [place, expected] of Object.entries(codes)) {
      const [method, path] = place.split(" ") as ["get" | "post" | "put", string]
      const answered = Object.keys(operation(method, path).responses).map(Number)
      assert.includeMembers(answered, expected, place)
      assert.deepStrictEqual(
        answered.filter((code) => code < 300),
        [200],
        place
      )
    }
    const served = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((m) => `${m} ${path}`)
    )
    assert.sameMembers(served, Object.keys(codes))
  })

  it("answers the error node with every failing code", () => {
    for (const item of Object.values(document.paths)) {
      for (const found of Object.values(item)) {
        for (const [code, response] of Object.entries(found.responses)) {
          if (Number(code) < 300) continue
          assert.deepStrictEqual(response.content["application/json"].schema, {
            $ref: "#/components/schemas/ErrorNode"
          })
          assert.isNotEmpty(response.description)
        }
      }
    }
  })

  it("asks for Basic credentials at /token and a bearer token everywhere else", () => {
    assert.deepStrictEqual(operation("post", "/v2/token").security, [{ clientCredentials: [] }])
    for (const [path, item] of Object.entries(document.paths)) {
      if (path === "/v2/token") continue
      for (const found of Object.values(item)) {
        assert.deepStrictEqual((found as { security: unknown }).security, [{ bearerToken: [] }], path)
      }
    }
    assert.strictEqual(document.components.securitySchemes["clientCredentials"]?.scheme, "basic")
    assert.strictEqual(String(document.components.securitySchemes["bearerToken"]?.scheme).toLowerCase(), "bearer")
  })

  it("takes a token request as JSON and as a form", () => {
    assert.deepStrictEqual(Object.keys(operation("post", "/v2/token").requestBody!.content), [
      "application/json",
      "application/x-www-form-urlencoded"
    ])
  })

  it("documents an optional Idempotency-Key on every write but /token", () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, found] of Object.entries(item)) {
        const key = found.parameters.find((p) => p.name === "idempotency-key")
        if (method === "get" || path === "/v2/token") assert.isUndefined(key, `${method} ${path}`)
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
    const under = (place: string, fields: Bounds): Bounds =>
      Object.fromEntries(Object.entries(fields).map(([name, bound]) => [`${place}.${name}`, bound]))

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
      ...under("RetryAnswer.PaymentMethodCreditCard.Card", card),
      ...under("TokenAnswer", { access_token: text(255), expires_in: int(11), scope: text(255) }),
      "WebhooksAnswer.confirmHash": text(255),
      "ErrorNode.error.message": text(255)
    }
    for (const [place, bound] of Object.entries(expected)) {
      const schema = schemaAt(place)
      assert.isDefined(schema, place)
      bound(schema)
    }
    for (const name of Object.keys(inRetry)) assert.isUndefined(schemaAt(`Subscription.Transactions.[].${name}`))
    for (const name of Object.keys(inSubscription)) assert.isUndefined(schemaAt(`TransactionOfRetry.${name}`))
    for (const name of ["Brand", "isBackup"]) {
      assert.isUndefined(schemaAt(`RetryAnswer.PaymentMethodCreditCard.Card.${name}`))
    }
  })

  it("says what the text of a query holds", () => {
    const found = operation("get", "/v2/transactions").parameters
    const limit = found.find(({ name }) => name === "limit")
    assert.deepInclude(limit as object, { required: true, schema: { type: "integer", minimum: 1, maximum: 100 } })
    const status = found.find(({ name }) => name === "status")
    assert.strictEqual(status?.schema.items?.enum?.length, 19)
    assert.strictEqual(status?.explode, false)
  })

  it("gives a summary, a description and examples that its own schemas read", () => {
    for (const item of Object.values(document.paths)) {
      for (const found of Object.values(item)) {
        assert.isNotEmpty(found.summary)
        assert.isNotEmpty(found.description)
        assert.isDefined(found.responses[200]?.content["application/json"].example)
      }
    }
    const reads = (schema: Schema.ConstraintDecoder<unknown>, value: unknown) =>
      Schema.decodeUnknownSync(schema, { errors: "all", onExcessProperty: "error" })(value)
    reads(TokenRequest, examples.token.request)
    reads(Answers.TokenAnswer, examples.token.answer)
    reads(CreateManualSubscription, examples.createManual.request)
    reads(Answers.SubscriptionAnswer, examples.createManual.answer)
    reads(Answers.SubscriptionsAnswer, examples.subscriptions.answer)
    reads(AddPayment, examples.add.request)
    reads(Answers.TransactionAnswer, examples.add.answer)
    reads(Answers.TransactionsAnswer, examples.transactions.answer)
    reads(Answers.RetryAnswer, examples.retry.answer)
    reads(EditWebhooks, examples.webhooks.request)
    reads(Answers.WebhooksAnswer, examples.webhooks.answer)
  })
})
