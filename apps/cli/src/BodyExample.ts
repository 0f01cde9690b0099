/**
 * The example of a `--body` file on a command's help page, from the contract.
 *
 * @since 0.1.0
 */
import { operationExamples } from "@parcela/transport/Contract"
import { Context } from "effect"

/** Annotation of a command: the operation whose body `--body` accepts, by its name in the OpenAPI document. */
export const BodyOf: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "@parcela/cli/BodyExample/BodyOf",
  { defaultValue: () => undefined }
)

/** Returns the lines of the JSON; undefined for a command without a body. */
export const bodyExampleOf = (annotations: Context.Context<never>): ReadonlyArray<string> | undefined => {
  const operation = Context.get(annotations, BodyOf)
  const example = operation === undefined ? undefined : operationExamples.get(operation)?.request
  return example === undefined ? undefined : JSON.stringify(example, null, 2).split("\n")
}
