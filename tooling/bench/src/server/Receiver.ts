/** A local endpoint for deliveries, and whoever waits for one. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Receiver {
  readonly url: string
  /** Resolves once the event of the transaction with that `myId` has arrived. */
  readonly arrival: (myId: string) => Promise<void>
  readonly close: () => void
}

export const listen = (): Promise<Receiver> =>
  new Promise((resolve) => {
    const waiting = new Map<string, () => void>()
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        response.writeHead(200, { "content-length": 0 }).end()
        const { Transaction } = JSON.parse(Buffer.concat(chunks).toString()) as { Transaction: { myId: string } }
        waiting.get(Transaction.myId)?.()
        waiting.delete(Transaction.myId)
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        arrival: (myId) => new Promise((resolve) => waiting.set(myId, resolve)),
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    )
  })
