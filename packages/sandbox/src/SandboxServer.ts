/**
 * A sandbox for a test suite: a whole billing server on a free port, and companies of one's own in it.
 *
 * **Details**
 *
 * `layer(SandboxServer.layer())("my code", (it) => ..)` starts one server for a block of tests. Each test that begins
 * with `companyOf()` sees nothing of the others, so they may run at the same time.
 *
 * @since 0.1.0
 */
import * as Sandbox from "./Sandbox.ts"
import type { SandboxOptions } from "./SandboxOptions.ts"
import type { CreatedCompany, NewCompany } from "@parcela/transport/sandbox/CompanyControls"
import { make as makeClient, type SandboxClient } from "@parcela/transport/sandbox/SandboxClient"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A sandbox on a free port of this machine that keeps its rows in memory. Give it a `database` to have them in a file.
 * The client of its database comes with it, to look at what was kept. When it stops, it waits for no request of a test that has ended.
 *
 * **Gotchas**
 *
 * The server takes its clock from where the layer is built: in `it.effect` that is the `TestClock`, which stands at
 * 1970 until it is set, and time passes for the server only when the test moves it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Partial<SandboxOptions> = {}
): Layer.Layer<Sandbox.Sandbox | SqlClient, Layer.Error<ReturnType<typeof Sandbox.layer>>> =>
  Sandbox.layer({ port: 0, database: ":memory:", lingering: 0, ...options })

/**
 * Where the sandbox listens: `http://127.0.0.1:<port>`.
 *
 * @category getters
 * @since 0.1.0
 */
export const url: Effect.Effect<string, never, Sandbox.Sandbox> = Effect.map(Sandbox.Sandbox, (sandbox) => sandbox.url)

/**
 * A company and all that it takes to speak as it, or to receive its deliveries.
 *
 * @category models
 * @since 0.1.0
 */
export type Company = typeof CreatedCompany.Type & {
  /** The base address with its version segment: `http://127.0.0.1:<port>/v2`. */
  readonly baseUrl: string
}

/**
 * What a new company is given; by default names and secrets are random, every scope is allowed, and any address.
 *
 * @category options
 * @since 0.1.0
 */
export type CompanyOptions = typeof NewCompany.Encoded

/**
 * A client of the sandbox's controls.
 *
 * @category getters
 * @since 0.1.0
 */
export const controls: Effect.Effect<SandboxClient["Service"], never, Sandbox.Sandbox> = Effect.flatMap(url, (url) =>
  makeClient({ baseUrl: `${url}/sandbox` })
).pipe(Effect.provide(FetchHttpClient.layer))

/**
 * The sandbox did not make a company.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoCompany extends Schema.TaggedError<NoCompany>()("NoCompany", { cause: Schema.Defect() }) {
  override get message() {
    return "The sandbox made no company: see the cause"
  }
}

/**
 * Makes a fresh company in the sandbox, over its controls.
 *
 * @category companies
 * @since 0.1.0
 */
export const companyOf: (options?: CompanyOptions) => Effect.Effect<Company, NoCompany, Sandbox.Sandbox> = Effect.fn(
  "SandboxServer.companyOf"
)(
  function* (options?: CompanyOptions) {
    const { companies } = yield* controls
    return { ...(yield* companies.create(options)), baseUrl: `${yield* url}/v2` }
  },
  Effect.mapError((cause) => new NoCompany({ cause }))
)
