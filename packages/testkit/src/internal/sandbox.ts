/** The public interface of a running sandbox. */
import type { NewCompany } from "../Company.ts"
import type { Sandbox } from "../Sandbox.ts"
import type { WebhookReceiver } from "../Webhooks.ts"
import { clientOptions } from "./alreadyRunning.ts"
import { companyOf, type Shared } from "./company.ts"
import { locatingAll } from "./caller.ts"
import { controlsOf } from "./controls.ts"
import { given } from "./given.ts"
import { namingOf } from "./inProcess.ts"
import type { Running } from "./running.ts"

interface Options {
  readonly naming?: string | undefined
  readonly controlsToken?: string | undefined
}

export const sandboxOf = (running: Running, { controlsToken, naming }: Options): Sandbox => {
  const { keys, pid, url } = running
  const controls = controlsOf(clientOptions({ url, controlsToken }), running)
  const receivers = new Set<WebhookReceiver>()
  const shared: Shared = { url, controls, naming: namingOf(naming), receivers }

  const company = async ({ scopes, ...options }: NewCompany = {}) => {
    // The contract refuses an unknown scope, and lists the known ones.
    const known = scopes as ReadonlyArray<never> | undefined
    return companyOf(shared, await controls.companies.create(given({ ...options, scopes: known })))
  }
  let closed: Promise<void> | undefined
  const end = async () => {
    await Promise.all([...receivers].map((receiver) => receiver.close()))
    await running.stop()
  }
  const close = () => (closed ??= end())
  const testCards: Sandbox["testCards"] = async (filter = {}) =>
    (await controls.testCards.list(given(filter))).testCards
  return {
    ...companyOf(shared, keys),
    ...locatingAll({ company, testCards, close, [Symbol.asyncDispose]: close }),
    logs: running.logs,
    pid
  }
}
