// Preloaded by the npm scripts that start a program which stays. npm passes on SIGINT and SIGTERM, but dies of SIGHUP
// and SIGKILL alone; without this the program would live on, with its port and its database.
const parent = process.ppid
const stop = () => process.kill(process.pid, "SIGTERM")

process.on("SIGHUP", stop)
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  stop()
}, 500).unref()
