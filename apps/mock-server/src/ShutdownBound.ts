/**
 * Limits the time of stopping: an unresponsive database or provider must not keep the process running.
 *
 * @since 0.1.0
 */

/** Requests have ten seconds to finish; the remaining time is for jobs and the database. */
const seconds = 15

/**
 * Ends the process fifteen seconds after the first signal, with a message, if it still runs.
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
