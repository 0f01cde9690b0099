/** The contract's examples by name, typed loosely: what they hold is what the tests say. */
import { operationExamples } from "../src/Contract.ts"

type Name =
  | "createToken"
  | "createManualSubscription"
  | "listSubscriptions"
  | "addTransaction"
  | "listTransactions"
  | "retryTransaction"
  | "editWebhooks"

export const examples = Object.fromEntries(operationExamples) as unknown as {
  readonly [Operation in Name]: { readonly request: any; readonly response: any }
}
