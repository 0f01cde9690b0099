/** Errors with the stack of the calling test: test runners show the file, line and code of the first frame. */
import { SandboxError } from "../SandboxError.ts"

/** The same error with the stack of `call`. */
const withStackOf = (call: { readonly stack?: string }, error: unknown): unknown => {
  if (!(error instanceof SandboxError)) return error
  const { cause, code, details, message, status } = error
  const located = new SandboxError(code, message, { cause, details, status })
  const frames = (call.stack ?? "").slice(Math.max(0, (call.stack ?? "").search(/\n {4}at /u)))
  located.stack = `${located.name}: ${message}${frames}`
  return located
}

/** A function whose rejections have the stack of its caller. */
export const locating = <Args extends ReadonlyArray<unknown>, Result>(
  method: (...args: Args) => Promise<Result>
): ((...args: Args) => Promise<Result>) => {
  const located = (...args: Args): Promise<Result> => {
    const call: { readonly stack?: string } = {}
    Error.captureStackTrace(call, located)
    return method(...args).catch((error: unknown) => {
      throw withStackOf(call, error)
    })
  }
  return located
}

/** An object whose methods, all of them asynchronous, are `locating`. */
export const locatingAll = <Api extends object>(api: Api): Api => {
  const located: Record<string | symbol, unknown> = {}
  for (const name of Reflect.ownKeys(api)) {
    const value: unknown = Reflect.get(api, name)
    // The methods of the kit return promises.
    located[name] = typeof value === "function" ? locating(value as () => Promise<unknown>) : value
  }
  // Each method takes and returns what it did.
  return located as Api
}
