/**
 * Functions that start a sandbox or connect to one.
 *
 * @since 0.1.0
 */
import { locating } from "./internal/caller.ts"
import { runInChild } from "./internal/childProcess.ts"
import { runInProcess } from "./internal/inProcess.ts"
import { sandboxOf } from "./internal/sandbox.ts"
import { alreadyRunning } from "./internal/alreadyRunning.ts"
import type { ConnectOptions, Sandbox, SandboxOptions } from "./Sandbox.ts"

/**
 * Starts a sandbox, which accepts requests once the promise resolves. Start one for each test file or worker, and create
 * a company for each test.
 *
 * @category constructors
 * @since 0.1.0
 */
export const startSandbox: (options?: SandboxOptions) => Promise<Sandbox> = locating(
  async (options: SandboxOptions = {}) => {
    const running = await (options.process === true ? runInChild(options) : runInProcess(options))
    return sandboxOf(running, options)
  }
)

/**
 * Connects to a running sandbox: of a global setup, of `npm start`, in a container. `close()` leaves it running.
 *
 * @category constructors
 * @since 0.1.0
 */
export const connectSandbox: (options: ConnectOptions) => Promise<Sandbox> = locating(async (options: ConnectOptions) =>
  sandboxOf(await alreadyRunning(options), options)
)
