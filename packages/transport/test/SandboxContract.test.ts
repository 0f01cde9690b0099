import { assert, describe, it } from "@effect/vitest"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { Context, Option, Result, Schema } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { AdministrationOperations } from "../src/administration/AdministrationContract.ts"
import { administrationOpenApi } from "../src/administration/AdministrationOpenApi.ts"
import { Examples } from "../src/contract/Operation.ts"
import { NewFault } from "../src/sandbox/ProviderControls.ts"
import { sandboxOpenApi } from "../src/sandbox/SandboxOpenApi.ts"
import { SandboxOperations } from "../src/sandbox/SandboxContract.ts"

interface Declared {
  readonly name: string
  readonly body: Schema.Top | undefined
  readonly success: Schema.Top
  readonly examples: { readonly request?: unknown; readonly response: unknown }
}

const declaredIn = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Declared> => {
  const found: Array<Declared> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      found.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        body: endpoint.payload.get("application/json")?.schemas[0],
        success: successes.get(200)![0],
        examples: Option.getOrThrow(Context.getOption(endpoint.annotations, Examples))
      })
    }
  })
  return found
}

const declared = declaredIn(SandboxOperations)

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<object>
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly examples: unknown }> }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** The document is plain JSON. */
const documentOf = (hasToken: boolean) =>
  sandboxOpenApi({ baseUrl: "http://127.0.0.1:8026/sandbox", hasToken }) as unknown as Document

const contracts = [
  ["the sandbox's controls", declared, documentOf, "controlsToken"],
  [
    "the administration",
    declaredIn(AdministrationOperations),
    (hasToken: boolean) =>
      administrationOpenApi({ baseUrl: "http://127.0.0.1:8026/admin", hasToken }) as unknown as Document,
    "operatorToken"
  ]
] as const

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item))

const decode = (schema: Schema.Top, json: unknown) =>
  // No schema of the contract needs a service.
  Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, { errors: "all", onExcessProperty: "error" })(json)

describe.each(contracts)("the contract of %s", (_name, declared, documentOf, scheme) => {
  it.each(declared)("$name has examples that fit it, one for each body", ({ body, examples, success }) => {
    assert.deepStrictEqual(Result.getFailure(decode(success, examples.response)), Option.none())
    assert.strictEqual(examples.request !== undefined, body !== undefined)
    if (body !== undefined) assert.deepStrictEqual(Result.getFailure(decode(body, examples.request)), Option.none())
  })

  it("has a unique name, a description, a described tag and a response for every operation", () => {
    const document = documentOf(false)
    const operations = operationsOf(document)
    assert.lengthOf(operations, declared.length)
    assert.strictEqual(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    const tags = document.tags.map(({ name }) => name)
    for (const { description, operationId, responses, security, summary, tags: own } of operations) {
      assert.isAbove(summary.length, 5, operationId)
      assert.isAbove(description.length, 10, operationId)
      assert.includeMembers(tags, [...own])
      assert.isDefined(responses["200"]?.content["application/json"]?.examples, operationId)
      assert.deepStrictEqual(security, [], operationId)
    }
    for (const { description, name } of document.tags) assert.isAbove(description.length, 10, name)
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/gu)
    for (const [, kind, name] of references) assert.isDefined(document.components[kind!]?.[name!], `${kind} ${name}`)
  })

  it("describes a number in a path as a number, without a pattern", () => {
    assert.notInclude(JSON.stringify(documentOf(false)), "^[+-]")
  })

  it("requires its token for every operation if a token is set", () => {
    const document = documentOf(true)
    for (const { security } of operationsOf(document)) assert.deepStrictEqual(security, [{ [scheme]: [] }])
    assert.deepInclude(document.components["securitySchemes"]?.[scheme], { type: "http", scheme: "bearer" })
  })
})

it("gives every time the format date-time", () => {
  const times: Array<unknown> = []
  JSON.stringify(documentOf(false), (_, value: unknown) => {
    const { format, pattern } = Object(value) as { readonly format?: unknown; readonly pattern?: unknown }
    if (typeof pattern === "string" && pattern.includes("T\\d\\d")) times.push(format)
    return value
  })
  assert.isAbove(times.length, 20)
  assert.deepStrictEqual([...new Set(times)], ["date-time"])
})

it("describes the limit of a page as a number", () => {
  assert.include(JSON.stringify(documentOf(false)), '"name":"limit","in":"query","schema":{"type":"number"}')
})

describe("a planned failure", () => {
  const problemsOf = (fault: unknown) =>
    Result.match(decode(NewFault, { call: "charge", fault }), {
      onFailure: ({ issue }) => detailsOf(issue, "Fault"),
      onSuccess: () => ({})
    })

  it("is refused with the list of types if its type is unknown", () => {
    const types = "Denied, Unavailable, RequestLost, ResponseLost, Duplicated, Hang, Slow"
    assert.deepStrictEqual(problemsOf({ type: "Nope" }), {
      "Fault.fault": [`must be an object whose type is one of ${types}`]
    })
  })

  it("is refused with the missing field of its type", () => {
    assert.deepStrictEqual(problemsOf({ type: "Hang" }), { "Fault.isDone": ["is required"] })
  })
})
