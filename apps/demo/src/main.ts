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
  // What is no terminal has no columns, and some terminals say none.
  process.stdout.columns || Infinity
)

// Any other database holds what somebody wants to keep: the demo needs one without companies and without a key.
const postgres = Config.Redacted("PARCELA_DATABASE").pipe(
  Config.map((place) => (/^postgres(ql)?:/.test(Redacted.value(place)) ? place : undefined)),
  Config.withDefault(undefined)
)

const demo = Effect.gen(function* () {
  const database = yield* postgres
  const servers = database === undefined ? 1 : 2
  yield* Console.log(print.title("A course is charged by card, by boleto and by Pix"))
  yield* Console.log(
    print.aside(
      servers === 1
        ? "a sandbox and a receiver start as two processes; what the client asks is ->, what the receiver gets is <-\n"
        : "two sandboxes share a PostgreSQL database, and a receiver starts beside them; the client asks one after the other\n"
    )
  )
  const timeline = yield* Timeline.make((entry) => Console.log(print.line(entry)))
  const shown = yield* runScenario(timeline, { database, servers })
  yield* Console.log(`\n${print.title("What the payer gets")}`)
  yield* Console.log(`  boleto  ${shown.bankLine}`)
  yield* Console.log(`  Pix     ${shown.qrCode}`)
  yield* Console.log(
    print.aside(
      servers === 1
        ? "\nBoth processes are stopped and their data is gone. `npm start` keeps a sandbox running."
        : "\nAll three processes are stopped. The database holds the demo's rows: drop it."
    )
  )
})

demo.pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer]), NodeRuntime.runMain)
