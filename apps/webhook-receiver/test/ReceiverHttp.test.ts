import { assert, describe, it } from "@effect/vitest"
import { Receiver, type Received } from "@parcela/webhooks/Receiver"
import { Deferred, Effect, Layer, Logger } from "effect"
import type { ServerResponse } from "node:http"
import { Announcer } from "../src/Announcer.ts"
import { makeHandle } from "../src/ReceiverHttp.ts"

const received = { _tag: "Repeated" } as Received

describe("the response to a delivery", () => {
  it.effect("closes the connection and logs the error when it cannot be written", () =>
    Effect.gen(function* () {
      const destroyed = yield* Deferred.make<void>()
      const logged: Array<string> = []
      const handle = yield* Effect.provide(
        makeHandle,
        Layer.mergeAll(
          Layer.mock(Receiver, { receive: () => Effect.succeed(received) }),
          Layer.mock(Announcer, {
            expect: () => ({ written: () => Effect.void, end: () => {} }),
            repeated: () => Effect.void
          }),
          Logger.layer([Logger.make(({ logLevel, message }) => void logged.push(`${logLevel}: ${String(message)}`))])
        )
      )
      const response = {
        writeHead: () => {
          throw new Error("Cannot write headers after they are sent")
        },
        destroy: () => Deferred.doneUnsafe(destroyed, Effect.void)
      } as unknown as ServerResponse
      const request = { method: "POST", headers: { "webhook-id": "1" }, whole: new Uint8Array() }
      assert.isTrue(handle(request as never, response as never))
      yield* Deferred.await(destroyed)
      assert.lengthOf(logged, 1)
      assert.match(logged[0]!, /^Error: The response to a delivery could not be written/u)
    })
  )
})
