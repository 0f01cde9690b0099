/** The peer as a program: its argument is the folder that it is installed in. */
import type { RequestListener } from "node:http"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { peer } from "./Peer.ts"

const { createExpressApp } = createRequire(join(process.argv[2]!, "package.json"))(peer.name) as {
  readonly createExpressApp: () => RequestListener
}
const server = createServer(createExpressApp())
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
)
process.once("SIGTERM", () => process.exit(0))
