/** The operations of a contract with their examples, and a service that responds with them. */
import { AdministrationOperations } from "@parcela/transport/administration/AdministrationContract"
import { type Operation, operationsOf } from "@parcela/transport/client/Operation"
import { Operations } from "@parcela/transport/Contract"
import { Examples, type OperationExamples } from "@parcela/transport/contract/Operation"
import { SandboxOperations } from "@parcela/transport/sandbox/SandboxContract"
import { Context } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import type * as Fake from "./Fake.ts"

export interface Exemplified extends Operation {
  readonly examples: OperationExamples
}

const exemplified = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Exemplified> => {
  const examples = new Map<string, OperationExamples>()
  HttpApi.reflect(contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const found = Context.getOrUndefined(endpoint.annotations, Examples)
      if (found !== undefined) examples.set(`${group.identifier}.${endpoint.identifier}`, found)
    }
  })
  return operationsOf(contract).map((operation) => {
    const found = examples.get(operation.name)
    if (found === undefined) throw new Error(`${operation.name} has no example`)
    return { ...operation, examples: found }
  })
}

export const billing = exemplified(Operations)
export const sandbox = exemplified(SandboxOperations)
export const administration = exemplified(AdministrationOperations)

/** True if a request belongs to this operation. */
export const isOf = ({ path, verb }: Operation, { method, url }: Fake.SentRequest): boolean =>
  verb === method &&
  new RegExp(`^/(?:v2|sandbox|admin)${path.replace(/:\w+/gu, "[^/]+")}$`, "u").test(new URL(url).pathname)

/** Responds to every request with the example of its operation. The state of a replay is that it has ended. */
export const respond = (request: Fake.SentRequest): Fake.Played => {
  const { pathname } = new URL(request.url)
  const other = pathname.startsWith("/sandbox") ? sandbox : pathname.startsWith("/admin") ? administration : undefined
  const operation = (other ?? billing).find((one) => isOf(one, request))
  return operation === undefined
    ? [404, { error: { message: `nothing is at ${request.method} ${request.url}` } }]
    : [200, operation.name === "deliveries.findReplay" ? ended : operation.examples.response]
}

const ended = {
  replay: { replayId: 3, of: "delivered", state: "done", replayed: 500, createdAt: "2026-11-22T10:00:00.000Z" }
}
