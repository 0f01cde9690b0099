/**
 * Every operation that names an entity, requests by one company with the identifiers of another one: nothing is there, nothing
 * is shown, and nothing changes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bodyOf, fieldsOf } from "./fixtures/Document.ts"
import { onServer, signIn } from "@parcela/test-world/Server"
import { requestOf, withToken } from "./fixtures/InterfaceRequests.ts"

type Company = Effect.Success<ReturnType<typeof signIn>>

const named = withToken.filter(({ path }) => path.includes(":typeId"))
const created = withToken.filter((operation) => operation.method === "POST" && !named.includes(operation))
const listed = withToken.filter(
  (operation) => operation.method === "GET" && requestOf(operation).path.includes("startAt=")
)

/** Names who shares the money, which is nothing of the company's. */
const sharer = "Split"

/** All identifiers in what a company lists. */
const identifiersIn = (json: unknown, key: "myId" | "svcPayId"): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  JSON.stringify(json, (name, value: unknown) => {
    if (name === key) found.push(value)
    return value
  })
  return found
}

const lists = Effect.fnUntraced(function* ({ call }: Company) {
  const texts: Array<string> = []
  for (const { path } of listed) {
    const { status, text } = yield* call("GET", `/v2${path}?startAt=0&limit=100`)
    assert.strictEqual(status, 200, text)
    texts.push(text)
  }
  return texts
})

const idsOf = (texts: ReadonlyArray<string>) => {
  const json = texts.map((text) => JSON.parse(text) as unknown)
  return {
    numbers: [...new Set(identifiersIn(json, "svcPayId").map(Number))],
    names: [...new Set(identifiersIn(json, "myId").map(String))]
  }
}

/** A company with one of everything that the examples make, and what is added to those. */
const furnished = Effect.gen(function* () {
  const company = yield* signIn()
  for (const operation of created) {
    const { body, method, path } = requestOf(operation)
    assert.strictEqual((yield* company.call(method, path, { body })).status, 200, operation.name)
  }
  const { names } = idsOf(yield* lists(company))
  for (const operation of named.filter(({ method }) => method === "POST")) {
    for (const name of names) {
      const { body, method, path } = requestOf(operation, name)
      yield* company.call(method, path, body === undefined ? {} : { body })
    }
  }
  return company
})

describe("an identifier of another company", () => {
  it.effect(
    "returns a 404 for every operation with an identifier in its path, and changes nothing",
    () =>
      Effect.gen(function* () {
        const theirs = yield* furnished
        const mine = yield* signIn()
        const before = yield* lists(theirs)
        const { names, numbers } = idsOf(before)
        assert.isAbove(names.length, listed.length - 1)
        const statuses: Array<string> = []
        for (const operation of named) {
          for (const id of [...names, ...numbers]) {
            const request = requestOf(operation, id)
            // The identifier in the body of the example remains; the path has the other company's.
            const { body } = requestOf(operation)
            const { status } = yield* mine.call(request.method, request.path, body === undefined ? {} : { body })
            if (status !== 404) statuses.push(`${operation.name} ${id}: ${status}`)
          }
        }
        assert.deepStrictEqual(statuses, [])
        assert.deepStrictEqual(yield* lists(theirs), before)
        for (const text of yield* lists(mine)) assert.deepStrictEqual(identifiersIn(JSON.parse(text), "svcPayId"), [])
      }).pipe(onServer()),
    120_000
  )

  it.effect(
    "is refused in every body that can contain it",
    () =>
      Effect.gen(function* () {
        const theirs = yield* furnished
        const before = yield* lists(theirs)
        const { numbers } = idsOf(before)
        const taken: Array<string> = []
        let requests = 0
        for (const operation of created) {
          const schema = bodyOf(operation)
          const { body, method, path } = requestOf(operation)
          if (schema === undefined) continue
          for (const field of fieldsOf(schema, body, (whole) => whole)) {
            const isOfAnEntity = /svcPayId$/i.test(String(field.path.at(-1))) && !field.path.includes(sharer)
            if (!isOfAnEntity) continue
            for (const id of numbers) {
              requests += 1
              // One that has nothing yet: identifiers of different kinds may be equal.
              const mine = yield* signIn()
              const { status } = yield* mine.call(method, path, { body: field.having(id) })
              if (status !== 400 && status !== 404) taken.push(`${operation.name} ${field.path.join(".")}: ${status}`)
            }
          }
        }
        assert.deepStrictEqual(taken, [])
        assert.isAbove(requests, 0)
        assert.deepStrictEqual(yield* lists(theirs), before)
      }).pipe(onServer()),
    120_000
  )
})
