/**
 * A sandbox for tests: a whole billing service with simulated providers, in this process or in one of its own.
 *
 * @since 0.1.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Company, NewCompany } from "./Company.ts"
import type { TestCard, TestCardFilter } from "./Providers.ts"

/**
 * Its own methods are those of the company that is ready from the start (`sandbox`); `company()` makes others.
 *
 * @category services
 * @since 0.1.0
 */
export interface Sandbox extends Company {
  /** A new company, which shares nothing with the others: give each test one. */
  readonly company: (options?: NewCompany) => Promise<Company>
  /** The table of test cards. */
  readonly testCards: (filter?: TestCardFilter) => Promise<ReadonlyArray<TestCard>>
  /** The sandbox's last 200 lines of log, for the report of a test that failed. */
  readonly logs: () => ReadonlyArray<string>
  /** Of the process that it runs in: this one, its own, or unknown when it was connected to. */
  readonly pid: number | undefined
  /** Ends receivers and sandbox; nothing is left that keeps this process running. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SandboxOptions {
  /**
   * In a process of its own, which ends when this one does, however that ends. For tests with fake timers, and for code
   * that blocks. In this process when absent.
   */
  readonly process?: boolean | undefined
  /** A free one when absent. */
  readonly port?: number | undefined
  /** The path of a SQLite file, which is kept, or `postgres://user:password@host:port/database`. In memory when absent. */
  readonly database?: string | undefined
  /** The service's name on the wire, such as `galaxPay`: `svcPay` when absent. */
  readonly naming?: string | undefined
  /** Of what people read: `pt` where `naming` is `galaxPay`, else `en`, when absent. */
  readonly language?: "en" | "pt" | undefined
  /** Whether requests with keys that nothing reads are refused: tolerated when absent, and listed by `requests()`. */
  readonly strictRequests?: boolean | undefined
  /** Takes each line of log as it is written. */
  readonly log?: ((line: string) => void) | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ConnectOptions {
  /** Where it listens: `http://127.0.0.1:8026`. */
  readonly url: string
  /** Of the company that is ready from the start; `sandbox` and `sandbox-secret` when absent. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Where the sandbox runs on another machine, such as a container: its `PARCELA_CONTROLS_TOKEN`. */
  readonly controlsToken?: string | undefined
  /** The name that the sandbox was started with. */
  readonly naming?: string | undefined
}
