/**
 * `npm run demo`: tells the story and prints one timeline.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { tell } from "./Story.ts"
import * as Timeline from "./Timeline.ts"

const print = Timeline.printer(process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined)

const demo = Effect.gen(function* () {
  yield* Console.log(print.title("A course is paid by card, by boleto and by Pix"))
  yield* Console.log(
    print.aside(
      "a sandbox and a receiver start as two processes; what the client asks is ->, what the receiver gets is <-\n"
    )
  )
  const timeline = yield* Timeline.make((entry) => Console.log(print.line(entry)))
  const shown = yield* tell(timeline)
  yield* Console.log(`\n${print.title("What the payer gets")}`)
  yield* Console.log(`  boleto  ${shown.bankLine}`)
  yield* Console.log(`  Pix     ${shown.qrCode}`)
  yield* Console.log(
    print.aside("\nBoth processes are stopped and their data is gone. `npm start` keeps a sandbox running.")
  )
})

demo.pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer]), NodeRuntime.runMain)
