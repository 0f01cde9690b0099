/**
 * Every limit and every required field that the OpenAPI document names, of every operation: what is at a limit is not
 * refused for it, and what is beyond is, under its own name.
 */
import { assert, describe, it } from "@effect/vitest"
import { keyOf } from "@parcela/core/errors/ErrorDetails"
import { Contract } from "@parcela/transport/Contract"
import { FaultEntity } from "@parcela/transport/contract/Operation"
import { Context, Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { bodyOf, documented, fieldsOf, limitsOf, resolved } from "./fixtures/Document.ts"
import type { Field } from "./fixtures/DocumentedFields.ts"
import { type Answer, type call, onServer, signIn } from "@parcela/test-world/Server"
import { requestOf, withToken } from "./fixtures/InterfaceRequests.ts"

/** The entity under which an operation's faults are reported. */
const entities = (() => {
  const all = new Map<string, string>()
  HttpApi.reflect(Contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) =>
      void all.set(
        `${group.identifier}.${endpoint.identifier}`,
        Context.getOrUndefined(mergedAnnotations, FaultEntity) ?? "Request"
      )
  })
  return all
})()

/** Returns the problems of one field in a response. */
const faultsOf = ({ json, status }: Answer, key: string): ReadonlyArray<string> =>
  status === 400 ? (json.error.details?.[key] ?? []) : []

const written = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 80)

type Send = (body: unknown) => ReturnType<typeof call>

/** Returns the differences between a field's documented limits and the server. */
const atLimits = Effect.fnUntraced(function* (about: string, key: string, field: Field, send: Send) {
  const problems: Array<string> = []
  let checked = 0
  for (const { beyond, name, ...limit } of limitsOf(field)) {
    checked += 1
    const refused = yield* send(field.having(beyond))
    const faults = faultsOf(refused, key)
    if (refused.status !== 400 || (faults.length === 0 && !field.isInUnion)) {
      problems.push(`${about}: ${name}, beyond: ${refused.status} to ${written(beyond)}, ${refused.text.slice(0, 200)}`)
    }
    if (!("at" in limit) || field.isInUnion) continue
    const atIt = faultsOf(yield* send(field.having(limit.at)), key)
    if (faults.every((fault) => atIt.includes(fault))) {
      problems.push(`${about}: ${name}, at the limit: ${atIt.join("; ").slice(0, 200)}`)
    }
  }
  return { problems, checked }
})

describe("the document's description of a request", () => {
  it.effect(
    "matches the server at each limit of each field of each body, and without each required field",
    () =>
      Effect.gen(function* () {
        const { call: own } = yield* signIn()
        const problems: Array<string> = []
        let checked = 0
        for (const operation of withToken) {
          const schema = bodyOf(operation)
          if (schema === undefined) continue
          const { body, method, path } = requestOf(operation, "p")
          const entity = entities.get(operation.name) ?? "Request"
          const send: Send = (body) => own(method, path, { body })
          for (const field of fieldsOf(schema, body, (whole) => whole)) {
            const key = keyOf(field.path, entity)
            const about = `${operation.name} ${field.path.join(".")}`
            const found = yield* atLimits(about, key, field, send)
            problems.push(...found.problems)
            checked += found.checked
            const without = field.without()
            // A card without any field is an absent card.
            if (!field.isRequired || JSON.stringify(without).includes('"Card":{}')) continue
            checked += 1
            const lacking = yield* send(without)
            if (lacking.status !== 400 || (faultsOf(lacking, key).length === 0 && !field.isInUnion)) {
              problems.push(`${about}, which is required: ${lacking.status} without it, ${lacking.text.slice(0, 200)}`)
            }
          }
        }
        assert.deepStrictEqual(problems, [])
        assert.isAbove(checked, 100)
      }).pipe(onServer()),
    120_000
  )

  it.effect(
    "matches the server at each limit of each parameter of each query",
    () =>
      Effect.gen(function* () {
        const { call: own } = yield* signIn()
        const problems: Array<string> = []
        let checked = 0
        for (const operation of withToken) {
          const parameters = (documented.get(operation.operationId)?.parameters ?? []).filter(
            (one) => one.in === "query"
          )
          const whole = Object.fromEntries(
            parameters.flatMap(({ name, required }) =>
              required === true ? [[name, name === "limit" ? "1" : "0"]] : []
            )
          )
          const { method, path } = requestOf(operation, "p")
          const send = (query: unknown) =>
            own(method, `${path.split("?", 1)[0]}?${new URLSearchParams(query as Record<string, string>)}`)
          for (const { name, required = false, schema } of parameters) {
            const key = `${entities.get(operation.name)}.${name}`
            const about = `${operation.name} ?${name}`
            const { [name]: _, ...without } = whole
            const field: Field = {
              path: [name],
              node: schema,
              value: ["1"],
              isRequired: required,
              isInUnion: false,
              having: (value) => ({ ...whole, [name]: Array.isArray(value) ? value.join(",") : String(value) }),
              without: () => without
            }
            // An empty parameter is one that is not there; an item of a list has limits of its own.
            const nodes = [schema, ...(schema.items === undefined ? [] : [resolved(schema.items)])]
            for (const { minLength: __, ...node } of nodes) {
              const found = yield* atLimits(about, key, { ...field, node }, send)
              problems.push(...found.problems)
              checked += found.checked
            }
            if (required && faultsOf(yield* send(field.without()), key).length === 0) {
              problems.push(`${about}, which is required`)
            }
          }
        }
        assert.deepStrictEqual(problems, [])
        assert.isAbove(checked, 20)
      }).pipe(onServer()),
    120_000
  )
})
