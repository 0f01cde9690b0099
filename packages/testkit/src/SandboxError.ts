/**
 * The error of every rejected promise of the kit.
 *
 * @since 0.1.0
 */

/**
 * The kind of an error:
 *
 * - `invalid`: the arguments; nothing was sent, and `details` names every wrong field
 * - `refused`: the sandbox refused, with its HTTP `status` and `details`; nothing has happened
 * - `timeout`: the awaited event did not happen in time
 * - `notStarted`: the sandbox did not start
 * - `stopped`: the sandbox stopped, or was closed
 * - `unreachable`: the sandbox gave no response, and nothing has happened
 * - `unknown`: the response was lost; the request may have been executed
 * - `unreadable`: the response is not from a sandbox of this version
 *
 * @category models
 * @since 0.1.0
 */
export type SandboxErrorCode =
  | "invalid"
  | "refused"
  | "timeout"
  | "notStarted"
  | "stopped"
  | "unreachable"
  | "unknown"
  | "unreadable"

/**
 * Problems by `Entity.field`: `{ "Payment.value": ["must be at least one cent"] }`.
 *
 * @category models
 * @since 0.1.0
 */
export type SandboxErrorDetails = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * An error of the kit.
 *
 * @category errors
 * @since 0.1.0
 */
export class SandboxError extends Error {
  static {
    // A minified class has another name, and consoles show that.
    Object.defineProperty(this, "name", { value: "SandboxError" })
  }

  override readonly name = "SandboxError"
  readonly code: SandboxErrorCode
  readonly details: SandboxErrorDetails
  /** The HTTP status of a refusal. */
  readonly status: number | undefined

  constructor(
    code: SandboxErrorCode,
    message: string,
    given: {
      readonly details?: SandboxErrorDetails | undefined
      readonly status?: number | undefined
      readonly cause?: unknown
    } = {}
  ) {
    super(message, given.cause === undefined ? undefined : { cause: given.cause })
    this.code = code
    this.details = given.details ?? {}
    this.status = given.status
  }
}
