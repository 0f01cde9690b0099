/**
 * What a file for `--body` may look like: the contract's own example, on the help page of a command.
 *
 * @since 0.1.0
 */
import { operationExamples } from "@parcela/transport/OperationExamples"
import { Context } from "effect"

/** Annotation of a command: the operation whose body `--body` takes, by its name in the OpenAPI document. */
export const BodyOf: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "@parcela/cli/BodyExample/BodyOf",
  { defaultValue: () => undefined }
)

/** The lines of the JSON; undefined for a command that takes none. */
export const bodyExampleOf = (annotations: Context.Context<never>): ReadonlyArray<string> | undefined => {
  const operation = Context.get(annotations, BodyOf)
  const example = operation === undefined ? undefined : operationExamples.get(operation)?.request
  return example === undefined ? undefined : JSON.stringify(example, null, 2).split("\n")
}
