import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { operationExamples } from "@parcela/transport/Contract"
import { errorExamples } from "@parcela/transport/contract/Examples"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { requestOf, withToken } from "./fixtures/InterfaceRequests.ts"
import { address, ana, byCard, byPix, cards, charge, payment, plan } from "@parcela/test-world/Samples"
import { type Answer, basic, call, server, signIn } from "@parcela/test-world/Server"

interface Media {
  readonly schema: object
  readonly examples: { readonly default: { readonly value: unknown } }
}

interface Response {
  readonly $ref?: string
  readonly content?: { readonly [type: string]: Media }
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
  readonly responses: { readonly [status: string]: Response }
}

interface Schemas {
  readonly [name: string]: {
    readonly required: ReadonlyArray<string>
    readonly properties: { readonly [name: string]: { readonly description: string } }
  }
}

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks: { readonly [event: string]: { readonly post: Operation } }
  readonly components: { readonly schemas: Schemas; readonly responses: { readonly [name: string]: Response } }
}

const served = Effect.map(call("GET", "/openapi.json"), ({ json }) => json as Document)

/** Returns the findings of Redocly's linter in a document, including warnings. It runs as a process without network access. */
const problemsOf = (document: unknown): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(document))
    const program = join(dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json"))), "bin/cli.js")
    const { stderr, stdout } = spawnSync(process.execPath, [program, "lint", "openapi.json", "--format=json"], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    assert.include(stdout, "{", stderr)
    const { problems } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
      readonly problems: ReadonlyArray<{ readonly ruleId: string; readonly message: string }>
    }
    return problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Says what is wrong with a value of a schema in the document; with `closed`, also what the document does not know. */
const validatorOf = (document: Document, options: { readonly closed?: boolean } = {}) => {
  const close = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(close)
    if (typeof node !== "object" || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]))
    return "properties" in copy ? { additionalProperties: false, ...copy } : copy
  }
  const components = options.closed === true ? close(document.components) : document.components
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: "document", components })
  return (schema: object, value: unknown): string | null => {
    const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
    return ajv.validate(local, value) ? null : ajv.errorsText()
  }
}

const operationsOf = (document: Document) => Object.values(document.paths).flatMap((item) => Object.values(item))

const responseOf = (document: Document, response: Response): Response =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split("/").at(-1)!]!

const invoice = { description: "Box", type: "onlyOne", createOn: "daysBeforePayDay", qtdDaysBeforePayDay: 3 }

for (const naming of [undefined, galaxPay]) {
  layer(server(naming === undefined ? {} : { naming }))(
    `the document of a server named ${naming?.name ?? "svcPay"}`,
    (it) => {
      it.effect("forbids unknown keys only in bodies that refuse them, such as that of a reversal", () =>
        Effect.gen(function* () {
          const { schemas } = (yield* served).components
          const isClosed = (name: string) => "additionalProperties" in schemas[name]!
          assert.isTrue(isClosed("ReverseTransaction"))
          for (const name of ["AddPayment", "CreateCharge", "CustomerInput", "Address", "PaymentMethodBoleto"]) {
            assert.isFalse(isClosed(name), name)
          }
        })
      )

      it.effect(
        "has no finding of Redocly's linter",
        () => Effect.map(served, (document) => assert.deepStrictEqual(problemsOf(document), [])),
        60_000
      )

      it.effect(
        naming === undefined ? "requires the myId of a new entity" : "documents that the server creates a missing myId",
        () =>
          Effect.gen(function* () {
            const { schemas } = (yield* served).components
            for (const name of ["AddPayment", "CreateCharge", "CreateManualSubscription", "CreateSubscription"]) {
              const { properties, required } = schemas[name]!
              assert.strictEqual(required.includes("myId"), naming === undefined, name)
              const descriptions = properties["myId"]!.description
              assert.strictEqual(descriptions.endsWith("Generated if omitted."), naming !== undefined, descriptions)
            }
          })
      )

      it.effect("has the URL of its operations", () =>
        Effect.gen(function* () {
          const document = yield* served
          assert.strictEqual(document.servers[0]?.url, `${yield* SandboxServer.url}/v2`)
          const { status } = yield* call("GET", "/v2/transactions")
          assert.strictEqual(status, 401)
        })
      )

      it.effect("has examples that match its schemas", () =>
        Effect.gen(function* () {
          const document = yield* served
          const problem = validatorOf(document, { closed: true })
          let count = 0
          for (const operation of [
            ...operationsOf(document),
            ...Object.values(document.webhooks).map(({ post }) => post)
          ]) {
            const responses = Object.values(operation.responses).map((response) => responseOf(document, response))
            for (const { content } of [...responses, operation.requestBody ?? {}]) {
              for (const { examples, schema } of Object.values(content ?? {})) {
                assert.isNull(problem(schema, examples.default.value), operation.operationId)
                count += 1
              }
            }
          }
          assert.isAbove(count, 70)
        })
      )

      it.effect("has a schema for every response and every field", () =>
        Effect.gen(function* () {
          const document = yield* served
          const problem = validatorOf(document, { closed: true })
          const id = naming === undefined ? "svcPayId" : "galaxPayId"
          const { call, company } = yield* signIn()
          const check = (operationId: string, { json, status, text }: Answer) => {
            const operation = operationsOf(document).find((operation) => operation.operationId === operationId)!
            const response = responseOf(document, operation.responses[status] ?? {})
            const schema = response.content?.["application/json"]?.schema
            assert.isDefined(schema, `${operationId} ${status}`)
            assert.isNull(problem(schema!, json), `${operationId} ${status}: ${text}`)
          }
          check(
            "createToken",
            yield* call("POST", "/v2/token", {
              headers: basic(company.clientId, Redacted.value(company.clientSecret)),
              body: { grant_type: "client_credentials" }
            })
          )
          const create = "/v2/subscriptions/manual"
          const full = {
            ...byCard(cards.deniedAtFirst, "card"),
            additionalInfo: "a note",
            Customer: { ...ana, phones: [11987654321], Address: address },
            PaymentMethodBoleto: { fine: 200, interest: 100, instructions: "a", deadlineDays: 3 },
            PaymentMethodPix: { fine: 200, interest: 100, instructions: "a", Deadline: { type: "days", value: 3 } }
          }
          check("createManualSubscription", yield* call("POST", create, { body: full }))
          const known = { Customer: { document: ana.document } }
          check("createManualSubscription", yield* call("POST", create, { body: { ...byPix("pix"), ...known } }))
          const boleto = { ...byPix("boleto"), ...known, mainPaymentMethodId: "boleto" }
          check("createManualSubscription", yield* call("POST", create, { body: boleto }))
          check("createManualSubscription", yield* call("POST", create, { body: {} }))
          for (const subscription of ["card", "pix", "boleto", "nobody"]) {
            const path = `/v2/transactions/${subscription}/myId/add`
            const body = { ...payment(`of ${subscription}`), additionalInfo: "a note" }
            check("addTransaction", yield* call("POST", path, { body }))
          }
          const retried = yield* call("PUT", "/v2/transactions/of%20card/myId/retry")
          check("retryTransaction", retried)
          check("retryTransaction", yield* call("PUT", `/v2/transactions/${retried.json.Transaction[id]}/${id}/retry`))
          check("retryTransaction", yield* call("PUT", "/v2/transactions/x/myId/retry"))
          check("reverseTransaction", yield* call("PUT", "/v2/transactions/of%20card/myId/reverse"))
          check("reverseTransaction", yield* call("PUT", "/v2/transactions/of%20card/myId/reverse"))
          check("captureTransaction", yield* call("PUT", "/v2/transactions/of%20card/myId/capture"))
          check("cancelTransaction", yield* call("DELETE", "/v2/transactions/of%20pix/myId"))
          check("cancelTransaction", yield* call("DELETE", "/v2/transactions/of%20card/myId"))
          check("listTransactions", yield* call("GET", "/v2/transactions?startAt=0&limit=10"))
          check("listTransactions", yield* call("GET", "/v2/transactions"))
          check("listSubscriptions", yield* call("GET", "/v2/subscriptions?startAt=0&limit=10"))
          const { myId: _, ...unnamed } = plan
          const made = yield* call("POST", "/v2/plans", { body: unnamed })
          check("createPlan", made)
          check("editPlan", yield* call("PUT", `/v2/plans/${made.json.Plan[id]}/${id}`, { body: { myId: "of card" } }))
          check("createCharge", yield* call("POST", "/v2/charges", { body: charge(full, "card") }))
          const more = { planMyId: "box", InvoiceConfig: invoice, Split: { type: "percent", value: 1000 } }
          check("createCharge", yield* call("POST", "/v2/charges", { body: charge({ ...full, ...more }, "more") }))
          for (const by of [byPix(), boleto]) {
            const body = charge({ ...by, ...known }, by.mainPaymentMethodId)
            check("createCharge", yield* call("POST", "/v2/charges", { body }))
          }
          check("retryCharge", yield* call("PUT", "/v2/charges/card/myId/retry"))
          check("reverseCharge", yield* call("PUT", "/v2/charges/card/myId/reverse"))
          check("cancelCharge", yield* call("DELETE", "/v2/charges/pix/myId"))
          check("listCharges", yield* call("GET", "/v2/charges?startAt=0&limit=10"))
          check("listTransactions", yield* call("GET", "/v2/transactions?startAt=0&limit=100"))
          check("getWebhooks", yield* call("GET", "/v2/webhooks"))
          const hooks = { url: "http://127.0.0.1:9/", events: ["transaction.updateStatus"] }
          check("editWebhooks", yield* call("PUT", "/v2/webhooks", { body: hooks }))
          check("getWebhooks", yield* call("GET", "/v2/webhooks"))
          check("editWebhooks", yield* call("PUT", "/v2/webhooks", { body: { url: "x", events: [] } }))
          // Each operation at least as its example asks for it, whether or not that is there.
          for (const operation of withToken) {
            const { method, path, ...sent } = requestOf(operation, "of card")
            check(operation.operationId, yield* call(method, path, sent))
          }
        })
      )
    }
  )
}

layer(server())("the examples of errors", (it) => {
  it.effect("are the messages of the server", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn({ scopes: ["transactions.read", "transactions.write"] })
      const all = yield* signIn()
      const credentials = basic(company.clientId, Redacted.value(company.clientSecret))
      const token = (headers: Record<string, string>, body: object) => call("POST", "/v2/token", { headers, body })
      const is = (answer: Answer, operation: string | undefined, status: number) => {
        assert.strictEqual(answer.status, status)
        const own = operation === undefined ? undefined : operationExamples.get(operation)?.errors?.[status]
        assert.deepStrictEqual(answer.json, own ?? errorExamples[status])
      }
      is(yield* token(credentials, { grant_type: "password" }), "createToken", 400)
      is(yield* token(basic("a", "b"), { grant_type: "client_credentials" }), "createToken", 401)
      const scoped = { grant_type: "client_credentials", scope: "plans.read" }
      is(yield* token(credentials, scoped), "createToken", 403)
      const unknown = { headers: { authorization: "Bearer unknown" } }
      is(yield* call("GET", "/v2/transactions?startAt=0&limit=1", unknown), undefined, 401)
      const create = "/v2/subscriptions/manual"
      is(yield* asCompany("POST", create, { body: byPix() }), undefined, 403)
      const wrong = { ...byPix(), mainPaymentMethodId: "x", Customer: { ...ana, document: "1" } }
      is(yield* all.call("POST", create, { body: wrong }), undefined, 400)
      const nobody = { ...byPix(), Customer: { myId: "nobody" } }
      is(yield* all.call("POST", create, { body: nobody }), "createManualSubscription", 404)
      is(yield* all.call("GET", "/v2/subscriptions"), "listSubscriptions", 400)
      is(yield* all.call("GET", "/v2/transactions"), "listTransactions", 400)
      is(yield* all.call("GET", "/v2/plans"), "listPlans", 400)
      const planned = { ...plan, myId: "example-plan" }
      yield* all.call("POST", "/v2/plans", { body: planned })
      is(yield* all.call("POST", "/v2/plans", { body: planned }), "createPlan", 400)
      is(yield* all.call("PUT", "/v2/plans/none/myId", { body: {} }), "editPlan", 404)
      is(yield* all.call("DELETE", "/v2/plans/none/myId"), "deactivatePlan", 404)
      const add = "/v2/transactions/nobody/myId/add"
      is(yield* all.call("POST", add, { body: payment("p") }), "addTransaction", 404)
      is(yield* all.call("POST", add, { body: { myId: "p", value: "129,90", payday: "x" } }), "addTransaction", 400)
      is(yield* all.call("PUT", "/v2/transactions/99/svcPayId/retry"), "retryTransaction", 404)
      yield* all.call("POST", create, { body: byCard(cards.captured) })
      yield* all.call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const again = yield* all.call("PUT", "/v2/transactions/p/myId/retry")
      assert.deepStrictEqual(
        again.json.error.details,
        operationExamples.get("retryTransaction")?.errors?.[400]?.error.details
      )
      is(yield* all.call("PUT", "/v2/transactions/p/myId/capture"), "captureTransaction", 400)
      const tooMuch = { body: { valueToReverse: 1991 } }
      is(yield* all.call("PUT", "/v2/transactions/p/myId/reverse", tooMuch), "reverseTransaction", 400)
      is(yield* all.call("DELETE", "/v2/transactions/p/myId"), "cancelTransaction", 400)
      is(yield* all.call("GET", "/v2/charges"), "listCharges", 400)
      const unreadable = { ...charge(byPix()), value: "129,90", payday: "x" }
      is(yield* all.call("POST", "/v2/charges", { body: unreadable }), "createCharge", 400)
      const noPayer = { ...charge(byPix()), Customer: { svcPayId: 99 } }
      is(yield* all.call("POST", "/v2/charges", { body: noPayer }), "createCharge", 404)
      yield* all.call("POST", "/v2/charges", { body: charge(byCard(cards.captured)) })
      const { details } = operationExamples.get("retryCharge")!.errors![400]!.error
      assert.deepStrictEqual((yield* all.call("PUT", "/v2/charges/c/myId/retry")).json.error.details, details)
      is(yield* all.call("DELETE", "/v2/charges/c/myId"), "cancelCharge", 400)
      yield* all.call("POST", "/v2/charges", { body: charge(byCard(cards.denied), "d") })
      is(yield* all.call("PUT", "/v2/charges/d/myId/reverse"), "reverseCharge", 400)
      is(yield* all.call("PUT", "/v2/charges/d/myId/capture"), "captureCharge", 400)
      for (const [operation, method, path] of [
        ["editCharge", "PUT", ""],
        ["retryCharge", "PUT", "/retry"],
        ["reverseCharge", "PUT", "/reverse"],
        ["captureCharge", "PUT", "/capture"],
        ["cancelCharge", "DELETE", ""]
      ] as const) {
        const sent = operation === "editCharge" ? { body: {} } : {}
        is(yield* all.call(method, `/v2/charges/none/myId${path}`, sent), operation, 404)
      }
      yield* all.call("POST", "/v2/charges", { body: charge(byPix(), "e") })
      const byNoCard = { body: { mainPaymentMethodId: "creditcard" } }
      is(yield* all.call("PUT", "/v2/charges/e/myId", byNoCard), "editCharge", 400)
      is(yield* all.call("PUT", "/v2/webhooks", { body: { url: "ftp://a", events: [] } }), "editWebhooks", 400)
      const plain = { headers: { "content-type": "text/plain" }, body: "x" }
      is(yield* all.call("PUT", "/v2/webhooks", plain), undefined, 415)
      is(yield* all.call("PUT", "/v2/webhooks", { body: "x".repeat(2 ** 20 + 1) }), undefined, 413)
      const headers = { "idempotency-key": "k" }
      const hooks = { url: "http://127.0.0.1:9/", events: [] }
      const first = yield* all.call("PUT", "/v2/webhooks", { headers, body: hooks })
      assert.isNull(first.headers.get("idempotent-replayed"))
      const repeated = yield* all.call("PUT", "/v2/webhooks", { headers, body: hooks })
      assert.strictEqual(repeated.headers.get("idempotent-replayed"), "true")
      const other = { ...hooks, url: "http://127.0.0.1:8/" }
      is(yield* all.call("PUT", "/v2/webhooks", { headers, body: other }), undefined, 422)
    })
  )
})
