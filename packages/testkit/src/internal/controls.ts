/** The derived client of the sandbox's controls, behind promises. Results are the JSON of the responses. */
import { operationsOf } from "@parcela/transport/client/Operation"
import type { WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import { SandboxClient, type SandboxClientOptions } from "@parcela/transport/sandbox/SandboxClient"
import { SandboxOperations } from "@parcela/transport/sandbox/SandboxContract"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { errorOf } from "./errors.ts"
import type { Running } from "./running.ts"

type Client = SandboxClient["Service"]

type Groups = typeof SandboxOperations extends HttpApi.HttpApi<infer _, infer Groups> ? Groups : never

type Endpoint<Group, Method> = Extract<
  HttpApiGroup.Endpoints<Extract<Groups, { readonly identifier: Group }>>,
  { readonly identifier: Method }
>

/** A contract derives codecs from its schemas, and retains the schemas. */
type WireOf<Codec> = Codec extends { readonly schema: infer Written extends Schema.Constraint }
  ? Written["Encoded"]
  : never

/** `controls.companies.create({ name })`: the arguments of the derived client, and the JSON of the response. */
export type Controls = {
  readonly [Group in keyof Client]: {
    readonly [Method in keyof Client[Group]]: Client[Group][Method] extends (...args: infer Args) => unknown
      ? (...args: Args) => Promise<WireOf<HttpApiEndpoint.Success<Endpoint<Group, Method>>>>
      : never
  }
}

type Call = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, WriteWithoutKeyError>

/** Failures of a sandbox that may have stopped. */
const mayBeEnded: ReadonlySet<string> = new Set(["Unreachable", "ResponseLost"])

export const controlsOf = (
  options: SandboxClientOptions,
  { gone, noticed }: Pick<Running, "gone" | "noticed">
): Controls => {
  const client = Effect.runSync(Effect.provide(SandboxClient, SandboxClient.layer(options)))
  const promised = (call: Call, success: Schema.Top) => {
    let encode: ((response: unknown) => unknown) | undefined
    // No schema of the contract needs a service.
    const toWire = () => (encode ??= Schema.encodeUnknownSync(success as Schema.Codec<unknown>))
    return async (...args: ReadonlyArray<unknown>): Promise<unknown> => {
      const before = gone()
      if (before !== undefined) throw before
      const result = await Effect.runPromise(Effect.result(call(...args)))
      if (Result.isSuccess(result)) return toWire()(result.success)
      if (mayBeEnded.has(result.failure._tag)) await noticed()
      throw gone() ?? errorOf(result.failure)
    }
  }
  const controls: Record<string, Record<string, unknown>> = {}
  for (const { group, method, success } of operationsOf(SandboxOperations)) {
    // The client was derived from the operations that are walked here.
    const call = (client as unknown as Record<string, Record<string, Call>>)[group]![method]!
    ;(controls[group] ??= {})[method] = promised(call, success)
  }
  // As above: the methods are those that the type is computed from.
  return controls as Controls
}
