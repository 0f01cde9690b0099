/**
 * Where V8 allocates what a request needs.
 *
 * V8 counts which object literals outlive a collection of the young generation, and allocates them in the old one from then on, for as
 * long as the process runs. What a start creates nearly all stays: scopes, contexts. The same literals make those of each request, which
 * are garbage a moment later, and in the old generation they keep what they refer to until the whole heap is collected.
 */
import { cachedDataVersionTag, setFlagsFromString } from "node:v8"

/**
 * From here on what is allocated is young. To be called once the program has started: Node's own modules are in its executable as bytecode,
 * which V8 does not take with other flags, and they would be compiled.
 */
export const allocateYoung = (): void => {
  const atStart = cachedDataVersionTag()
  setFlagsFromString("--no-allocation-site-pretenuring")
  // Started with that flag: nothing was changed, and the next start is likely to have it too.
  if (cachedDataVersionTag() === atStart) return
  // Node keeps bytecode as the process ends, and the next start has the flags of this one's.
  process.once("exit", () => setFlagsFromString("--allocation-site-pretenuring"))
}
