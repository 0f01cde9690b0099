import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

describe("PostgresServer", () => {
  it("ends with the process that started it, though that one is killed", async () => {
    const starter = spawn(process.execPath, [join(import.meta.dirname, "fixtures/Starter.ts")], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = (await once(createInterface(starter.stdout), "line")) as [string]
    const port = Number(new URL(line).port)
    assert.isTrue(await isListening(port))
    starter.kill("SIGKILL")
    // Another process does the rest, so there is nothing to wait for but the result.
    for (let look = 0; look < 500 && (await isListening(port)); look++) await setTimeout(10)
    assert.isFalse(await isListening(port))
  })
})
