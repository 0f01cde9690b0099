/**
 * A bound on stopping: a database or a provider that no longer responds must not keep the process from ending.
 *
 * @since 0.1.0
 */

/** Requests have ten seconds to finish; what is left is for the jobs and the database. */
const seconds = 15

/**
 * Ends the process fifteen seconds after the first signal to stop, if it is still there, and says so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const boundShutdown = (say: (text: string) => void): void => {
  let isStopping = false
  const start = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      say(
        `Stopped, as the sandbox did not stop within ${seconds} seconds: a provider or the database does not respond. What is left is taken up at the next start.`
      )
      process.exit(1)
    }, seconds * 1000).unref()
  }
  process.on("SIGINT", start)
  process.on("SIGTERM", start)
}
