/** A program that starts a sandbox in a separate process and does not close it. With an argument it continues. */
import { startSandbox } from "@parcela/testkit"

const sandbox = await startSandbox({ process: true })
const company = await sandbox.company()
await company.today()
process.stdout.write(`${sandbox.pid}\n`)
if (process.argv.includes("goes-on")) setInterval(() => {}, 60_000)
