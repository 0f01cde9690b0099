/**
 * The command `parcela` as a value: arguments in, exit code out. `main.ts` runs it as a process.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { unknownVariables } from "@parcela/core/values/EnvironmentVariables"
import { Cause, Console, Effect, Exit, Layer, Stdio } from "effect"
import { CliError, CliOutput, Command, TerminalCapabilities } from "effect/cli"
import { admin } from "./commands/Admin.ts"
import { cards, cardBrands, paymentMethods } from "./commands/Cards.ts"
import { customers } from "./commands/Customers.ts"
import { plans } from "./commands/Plans.ts"
import { sandbox } from "./commands/Sandbox.ts"
import { subscriptions } from "./commands/Subscriptions.ts"
import { token } from "./commands/Token.ts"
import { charges } from "./commands/Charges.ts"
import { transactions } from "./commands/Transactions.ts"
import { webhooks } from "./commands/Webhooks.ts"
import { exitCodeOf, exitCodes, type Failure, report } from "./Failure.ts"
import { globalFlags } from "./GlobalFlags.ts"
import { formatter } from "./Help.ts"
import { paint, plain } from "./Terminal.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { FetchHttpClient } from "effect/http"

/** The whole command. */
export const parcela = Command.make("parcela").pipe(
  Command.withDescription(
    "Recurring billing from the command line. Without settings it uses the sandbox on this machine. The client secret comes from PARCELA_CLIENT_SECRET or a profile, never from a flag."
  ),
  Command.withSubcommands([
    token,
    customers,
    cards,
    plans,
    subscriptions,
    charges,
    transactions,
    paymentMethods,
    cardBrands,
    webhooks,
    sandbox,
    admin
  ]),
  Command.withGlobalFlags(globalFlags),
  Command.withExamples([
    { command: "parcela token", description: "Check the settings" },
    { command: "parcela transactions list --status denied --json", description: "Output for a script" },
    { command: "parcela --profile production subscriptions list", description: "Another service" }
  ])
)

/**
 * Runs the command line's arguments, prints the result, and succeeds with the exit code. `variables` are the names of the
 * environment's variables.
 */
export const main = (args: ReadonlyArray<string>, variables: Iterable<string>) => {
  const asJson = args.includes("--json")
  const warnings = Effect.forEach(unknownVariables(variables), (problem) => Console.error(`warning: ${problem}`))
  return Effect.flatMap(Effect.andThen(warnings, paint), (paint) =>
    Effect.provideService(Command.runWith(parcela, { version: "0.1.0" })(args), CliOutput.Formatter, formatter(paint))
  ).pipe(
    Effect.as<number>(exitCodes.done),
    Effect.catch((error: CliError.CliError | Failure) =>
      CliError.isCliError(error)
        ? Effect.succeed(error._tag === "ShowHelp" && error.errors.length === 0 ? exitCodes.done : exitCodes.usage)
        : Effect.as(report(error, asJson), exitCodeOf(error))
    ),
    Effect.catchDefect((defect) =>
      Effect.as(Console.error(`parcela: a defect of this program: ${Cause.pretty(Cause.die(defect))}`), exitCodes.fault)
    ),
    Effect.provideService(CliOutput.Presenter, presenter(asJson))
  )
}

/** Matches the suggestion, which the library prints as a paragraph and this program as a sentence. */
const suggestion = /\s*\n\s*(Did you mean this\?)/u

/** Prints a wrong invocation with a hint to the help page on stderr, because stdout is for results. */
const presenter = (asJson: boolean): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const problems = event.errors.map(({ message }) =>
      plain(message.replace(suggestion, ". $1")).replace(/ {2,}/gu, " ")
    )
    if (asJson) {
      return Console.error(JSON.stringify({ error: { message: "Wrong usage", details: { "Command.line": problems } } }))
    }
    return Effect.flatMap(paint, (paint) =>
      Console.error(
        [
          ...problems.map((problem) => {
            const lines = wrapped(`error: ${problem}`, paint.columns - 2).join("\n  ")
            return `${paint("red", "error")}${lines.slice("error".length)}`
          }),
          `${paint("cyan", "try")}: ${event.commandPath.join(" ")} --help`
        ].join("\n")
      )
    )
  }
})

// Redirects are not followed, because they could send the credentials to another host.
const Http = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

const Platform = TerminalCapabilities.layer.pipe(Layer.provideMerge(NodeServices.layer))

export const program = (): void => {
  // The reader of the output is gone (`| head`).
  process.stdout.on("error", () => process.exit(0))
  Effect.flatMap(Stdio.Stdio, (stdio) =>
    Effect.flatMap(stdio.args, (args) => main(args, Object.keys(process.env)))
  ).pipe(
    Effect.provide(Layer.merge(Platform, Http)),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) =>
        onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : exitCodes.interrupted)
    })
  )
}
