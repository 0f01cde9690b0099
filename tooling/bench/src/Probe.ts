/**
 * Preloaded before a server's program (`node --import`): reports the CPU time and the memory of the process when the bench
 * sends "usage".
 */
process.on("message", (message) => {
  if (message === "usage") {
    const { system, user } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  }
})
// The channel does not keep the program alive.
process.channel?.unref()
