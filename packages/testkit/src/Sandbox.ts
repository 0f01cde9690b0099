/**
 * A sandbox for tests: a whole billing service with simulated providers, in this process or in a separate one.
 *
 * @since 0.1.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Company, NewCompany } from "./Company.ts"
import type { TestCard, TestCardFilter } from "./Providers.ts"

/**
 * A running sandbox. The methods of `Company` are those of the default company (`sandbox`); `company()` creates others.
 *
 * @category services
 * @since 0.1.0
 */
export interface Sandbox extends Company {
  /** Creates a company that shares nothing with others. Create one for each test. */
  readonly company: (options?: NewCompany) => Promise<Company>
  /** Returns the table of test cards. */
  readonly testCards: (filter?: TestCardFilter) => Promise<ReadonlyArray<TestCard>>
  /** Returns the last 200 lines of the sandbox's log, for the report of a failed test. */
  readonly logs: () => ReadonlyArray<string>
  /** Id of the sandbox's process. Unknown for a connected sandbox. */
  readonly pid: number | undefined
  /** Stops receivers and sandbox. Nothing keeps this process running afterwards. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Options of a new sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxOptions {
  /**
   * True for a separate process, which ends when this one ends for any reason. For tests with fake timers, and for code
   * that blocks. By default the sandbox runs in this process.
   */
  readonly process?: boolean | undefined
  /** By default a free port. */
  readonly port?: number | undefined
  /** The path of a SQLite file, which is retained, or `postgres://user:password@host:port/database`. By default in memory. */
  readonly database?: string | undefined
  /** The naming profile of the interface, such as `galaxPay`. The default is `svcPay`. */
  readonly naming?: string | undefined
  /** Language of texts for people. The default is `pt` for the naming `galaxPay`, else `en`. */
  readonly language?: "en" | "pt" | undefined
  /** True to refuse requests with unknown keys. By default they are accepted, and `requests()` lists the keys. */
  readonly strictRequests?: boolean | undefined
  /** Receives each line of the log. */
  readonly log?: ((line: string) => void) | undefined
}

/**
 * Address and credentials of a running sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConnectOptions {
  /** Its URL: `http://127.0.0.1:8026`. */
  readonly url: string
  /** Credentials of the default company. The defaults are `sandbox` and `sandbox-secret`. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The `PARCELA_CONTROLS_TOKEN` of a sandbox on another machine, such as a container. */
  readonly controlsToken?: string | undefined
  /** The naming profile of the sandbox. */
  readonly naming?: string | undefined
}
