/**
 * `npm run demo`: runs the scenario and prints one timeline.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { runScenario } from "./Scenario.ts"
import * as Timeline from "./Timeline.ts"

const print = Timeline.printer(
  process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
  // A pipe has no columns, and some terminals report 0.
  process.stdout.columns || Infinity
)

// The demo needs an empty database. A SQLite file in the setting may contain data, so only PostgreSQL URLs are used.
const postgres = Config.Redacted("PARCELA_DATABASE").pipe(
  Config.map((url) => (/^postgres(ql)?:/.test(Redacted.value(url)) ? url : undefined)),
  Config.withDefault(undefined)
)

const demo = Effect.gen(function* () {
  const database = yield* postgres
  const servers = database === undefined ? 1 : 2
  yield* Console.log(print.title("A course is charged by card, by boleto and by Pix"))
  yield* Console.log(
    print.aside(
      servers === 1
        ? "A sandbox and a webhook receiver run as two processes. -> is a request of the client, <- a delivery to the receiver.\n"
        : "Two sandboxes share a PostgreSQL database, and the client alternates between them. -> is a request of the client, <- a delivery to the receiver.\n"
    )
  )
  const timeline = yield* Timeline.make((entry) => Console.log(print.line(entry)))
  const shown = yield* runScenario(timeline, { database, servers })
  yield* Console.log(`\n${print.title("For the payer")}`)
  yield* Console.log(`  boleto  ${shown.bankLine}`)
  yield* Console.log(`  Pix     ${shown.qrCode}`)
  yield* Console.log(
    print.aside(
      servers === 1
        ? "\nBoth processes have stopped and their data is deleted. `npm start` starts a sandbox that keeps running."
        : "\nAll three processes have stopped. The database contains the rows of the demo: drop it."
    )
  )
})

demo.pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer]), NodeRuntime.runMain)
