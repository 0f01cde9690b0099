/** Writes the clients' generated types; with `--check`, only fails when they are not what would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { modules } from "./ClientTypes.ts"

const root = join(import.meta.dirname, "../../..")

for (const [name, text] of modules()) {
  const file = join(root, name)
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text)
    process.stdout.write(`${name} is written\n`)
  } else if (existsSync(file) && readFileSync(file, "utf8") === text) {
    process.stdout.write(`${name} is current\n`)
  } else {
    process.stderr.write(`${name} does not match the contract: run \`npm run client-types\` and commit it\n`)
    process.exitCode = 1
  }
}
