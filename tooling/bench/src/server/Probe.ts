/**
 * Loaded before a server's program (`node --import`): reports to the bench, when asked over the channel between the two, how
 * much CPU the process has used. The program itself is not touched.
 */
process.on("message", (message) => {
  if (message === "usage") {
    const { system, user } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  }
})
// Whether the bench is there or not does not keep the program alive.
process.channel?.unref()
