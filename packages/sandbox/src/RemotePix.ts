/**
 * A Pix provider outside the sandbox's process, over API Pix, and the file with its accounts. The modules are loaded only if
 * an account is configured, because few sandboxes have one.
 *
 * @since 0.1.0
 */
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import type { ReceivePayments } from "@parcela/engine/payments/IncomingPayments"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SchemaError } from "effect/Schema"
import type { SandboxOptions } from "./SandboxOptions.ts"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { CallbackSecret, PixAccount } from "@parcela/pix-api/PixAccount"
import { readFile } from "node:fs/promises"

/**
 * Layers that the provider adds to a composition; empty without an account.
 *
 * @category models
 * @since 0.1.0
 */
export interface RemotePix {
  readonly provider: Layer.Layer<never, SchemaError> | Layer.Layer<PixProvider, SchemaError>
  /** The callback route. */
  readonly routes: Layer.Layer<never, SchemaError, HttpRouter.HttpRouter | ReceivePayments>
  /** Registers the callback URL, and polls for payments that no callback reported. */
  readonly ready: Layer.Layer<never, SchemaError, ReceivePayments>
}

const none: RemotePix = { provider: Layer.empty, routes: Layer.empty, ready: Layer.empty }

/**
 * @category constructors
 * @since 0.1.0
 */
export const of = (options: Pick<SandboxOptions, "pixAccount" | "pixAccounts">): RemotePix => {
  const accounts = options.pixAccounts ?? options.pixAccount
  if (accounts === undefined) return none
  // One promise, so that the three layers share one set of tokens.
  let loaded: Promise<RemotePix> | undefined
  const load = Effect.promise(() => (loaded ??= import("./RemotePixLayers.ts").then(({ make }) => make(accounts))))
  return {
    provider: Layer.unwrap(Effect.map(load, ({ provider }) => provider)),
    routes: Layer.unwrap(Effect.map(load, ({ routes }) => routes)),
    ready: Layer.unwrap(Effect.map(load, ({ ready }) => ready))
  }
}

/**
 * The file cannot be read or contains no account. The message shows no value of the file.
 *
 * @category errors
 * @since 0.1.0
 */
export class PixAccountUnusable extends Schema.TaggedError<PixAccountUnusable>()("PixAccountUnusable", {
  file: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.file} ${this.problems.join("; ")}`
  }
}

const secret = <S extends Schema.Top>(label: string, value: S) => Schema.RedactedFromValue(value, { label })

const Json = Schema.Struct({
  ...PixAccount.fields,
  clientSecret: secret("client secret", Schema.NonEmptyString),
  callbackSecret: Schema.optionalKey(secret("callback secret", CallbackSecret))
})

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownEffect(Json, { errors: "all", onExcessProperty: "error" })
const check = Schema.decodeEffect(Schema.toType(PixAccount))

const Numbered = Schema.Struct({ companies: Schema.Record(Schema.String, Schema.Unknown) })

const isNumbered = Schema.is(Numbered)

const isCompanyId = Schema.is(CompanyId)

/**
 * Reads the JSON of the file: one account with the keys of `PixAccount`, or an account for each company by its number:
 * `{ "companies": { "1": {..}, "2": {..} } }`.
 *
 * @category reading
 * @since 0.1.0
 */
export const read = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<Pick<SandboxOptions, "pixAccount" | "pixAccounts">, PixAccountUnusable> {
  const unusable = (...problems: ReadonlyArray<string>) => new PixAccountUnusable({ file, problems })
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => unusable("cannot be read")
  })
  const json = yield* Effect.mapError(parse(text), () => unusable("is not JSON"))
  const accountIn = (account: unknown, entity: string) =>
    Effect.mapError(Effect.flatMap(decode(account), check), ({ issue }) =>
      unusable(...Object.entries(detailsOf(issue, entity)).map(([key, said]) => `${key} ${said.join(", ")}`))
    )
  if (!isNumbered(json)) return { pixAccount: yield* accountIn(json, "PixAccount") }
  const pixAccounts = new Map<CompanyId, PixAccount>()
  for (const [text, account] of Object.entries(json.companies)) {
    const id = Number(text)
    if (!isCompanyId(id)) return yield* unusable(`companies: ${text} is not the number of a company`)
    pixAccounts.set(id, yield* accountIn(account, `companies.${text}`))
  }
  return { pixAccounts }
})
