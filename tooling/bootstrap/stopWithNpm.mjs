// Preloaded by the npm scripts that start a server. npm passes SIGINT and SIGTERM on to the server, but SIGHUP and SIGKILL
// end npm alone; the server then stops too, so that it does not keep its port and its database.
const parent = process.ppid
const stop = () => process.kill(process.pid, "SIGTERM")

process.on("SIGHUP", stop)
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  stop()
}, 200).unref()
