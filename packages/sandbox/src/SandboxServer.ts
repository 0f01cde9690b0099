/**
 * A sandbox for a test suite: a whole billing server on a free port, and a company for each test.
 *
 * **Details**
 *
 * `layer(SandboxServer.layer())("my code", (it) => ..)` starts one server for a block of tests. A test that starts with
 * `companyOf()` sees no data of other tests, so tests may run concurrently.
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
 * A sandbox on a free port of this machine with its rows in memory; the option `database` stores them in a file. The
 * layer also provides the database client, so tests can read rows. On stop the server does not wait for requests of
 * finished tests.
 *
 * **Gotchas**
 *
 * The server uses the clock of the context that builds the layer. In `it.effect` that is the `TestClock`, which starts
 * at 1970 and advances only when the test adjusts it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: Partial<SandboxOptions> = {}
): Layer.Layer<Sandbox.Sandbox | SqlClient, Layer.Error<ReturnType<typeof Sandbox.layer>>> =>
  Sandbox.layer({ port: 0, database: ":memory:", lingering: 0, ...options })

/**
 * The sandbox's URL: `http://127.0.0.1:<port>`.
 *
 * @category getters
 * @since 0.1.0
 */
export const url: Effect.Effect<string, never, Sandbox.Sandbox> = Effect.map(Sandbox.Sandbox, (sandbox) => sandbox.url)

/**
 * A company, with everything that a client or a receiver of deliveries needs.
 *
 * @category models
 * @since 0.1.0
 */
export type Company = typeof CreatedCompany.Type & {
  /** The base URL with its version segment: `http://127.0.0.1:<port>/v2`. */
  readonly baseUrl: string
}

/**
 * Options of a new company. By default names and secrets are random, and every scope and address is allowed.
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
 * The sandbox did not create a company.
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
 * Creates a company in the sandbox through its controls.
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
