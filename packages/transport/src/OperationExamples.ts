/**
 * The examples of the contract's operations.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import { Operations } from "./Contract.ts"
import { Examples, type OperationExamples } from "./contract/Operation.ts"
import { endpointsOf } from "./Endpoints.ts"

/**
 * The examples of each operation, by the operation's name in the OpenAPI document.
 *
 * @category examples
 * @since 0.1.0
 */
export const operationExamples: ReadonlyMap<string, OperationExamples> = new Map(
  endpointsOf(Operations).flatMap(({ endpoint: { annotations } }) => {
    const examples = Context.getOrUndefined(annotations, Examples)
    const id = Context.getOrUndefined(annotations, OpenApi.Identifier)
    return examples === undefined || id === undefined ? [] : [[id, examples] as const]
  })
)
