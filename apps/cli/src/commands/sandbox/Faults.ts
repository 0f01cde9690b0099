/**
 * `parcela sandbox faults`: injected failures of the next requests to the simulated providers. `parcela sandbox test-cards`: the
 * card numbers that determine the outcome of their charges.
 *
 * @since 0.1.0
 */
import { type Fault, NewFault, type PlannedFault } from "@parcela/transport/sandbox/ProviderControls"
import { ProviderCall } from "@parcela/transport/sandbox/Control"
import { Duration, Effect, Option, Struct } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { contractFlags, derivedControl } from "../../DerivedControl.ts"
import { control, timeOf } from "../../Control.ts"
import { durationOf, key, text, instant, instantOf } from "../../Flags.ts"
import type { Paint } from "../../Terminal.ts"
import { table } from "../../Table.ts"
import type { UsageError } from "../../GlobalFlags.ts"
import { allCompanies } from "./Activity.ts"

type Planned = typeof PlannedFault.Type

const { flags, read } = contractFlags(Struct.pick(NewFault.fields, ["attemptId", "transactionId", "cardId", "times"]))

/** The words of the command line for each type of failure. */
const kinds = {
  denied: "Denied",
  unavailable: "Unavailable",
  "request-lost": "RequestLost",
  "response-lost": "ResponseLost",
  duplicated: "Duplicated",
  hang: "Hang",
  "hang-done": "Hang",
  slow: "Slow"
} as const

type Kind = keyof typeof kinds

const words = Struct.keys(kinds)

const wordOf = (fault: typeof Fault.Type): string => {
  switch (fault.type) {
    case "Denied":
      return `denied ${fault.code} (${fault.message})`
    case "Hang":
      return fault.isDone ? "hang-done" : "hang"
    case "Slow":
      return `slow by ${Duration.format(Duration.millis(fault.milliseconds))}`
    default: {
      const { type } = fault
      return words.find((word) => kinds[word] === type) ?? type
    }
  }
}

const of = (one: Planned): string =>
  [
    ...(one.companyId === undefined ? [] : [`company ${one.companyId}`]),
    ...(one.transactionId === undefined ? [] : [`transaction ${one.transactionId}`]),
    ...(one.attemptId === undefined ? [] : [`attempt ${one.attemptId}`]),
    ...(one.isOfOneCard ? ["one card"] : [])
  ].join(", ") || "everything"

const shown = (paint: Paint, faults: ReadonlyArray<Planned>): string =>
  faults.length === 0
    ? "No faults are planned."
    : table(
        paint,
        ["REQUEST", "FAULT", "TIMES", "OF", "FROM", "UNTIL"],
        faults.map((one) => [
          one.call ?? "any",
          wordOf(one.fault),
          String(one.times ?? "all"),
          of(one),
          timeOf(one.from),
          timeOf(one.until)
        ]),
        { cut: ["FAULT"] }
      )

const list = Command.make("list", {}, () =>
  control(
    (client) => client.faults.list(),
    ({ faults }, paint) => shown(paint, faults)
  )
).pipe(
  Command.withDescription("List the planned faults of all companies."),
  Command.withShortDescription("List planned faults"),
  Command.withExamples([{ command: "parcela sandbox faults list", description: "All planned faults" }])
)

interface Given {
  readonly kind: Kind
  readonly code: string
  readonly message: Option.Option<string>
  readonly advice: Option.Option<string>
  readonly delay: Option.Option<string>
}

const faultOf = ({ advice, code, delay, kind, message }: Given): Effect.Effect<typeof Fault.Encoded, UsageError> => {
  const type = kinds[kind]
  switch (type) {
    case "Denied":
      return Effect.succeed({ type, code, ...key("message", message), ...key("merchantAdviceCode", advice) })
    case "Hang":
      return Effect.succeed({ type, isDone: kind === "hang-done" })
    case "Slow":
      return Effect.map(
        durationOf(
          "--delay",
          Option.getOrElse(delay, () => "30s")
        ),
        (delay) => ({
          type,
          milliseconds: Duration.toMillis(delay)
        })
      )
    default:
      return Effect.succeed({ type })
  }
}

const plan = Command.make(
  "plan",
  {
    call: Argument.Literals("request", [...ProviderCall.literals, "any"]).pipe(
      Argument.withDescription(
        "The failing request: tokenize, charge, capture or reverse (cards), register (boleto), open (Pix), lookup or cancel (all), or any"
      )
    ),
    kind: Argument.Literals("fault", words).pipe(
      Argument.withDescription(
        "denied: the provider denies it. unavailable: a 5xx. request-lost: it never arrives. response-lost: it is processed, and the response is lost. duplicated: it arrives twice. hang: no response. hang-done: processed, and no response. slow: a late response"
      )
    ),
    code: Flag.String("code").pipe(Flag.withDescription("Code of a denial"), Flag.withDefault("51")),
    message: text("message", "Message of a denial; default: the meaning of its code"),
    advice: text("advice", "Mastercard's merchant advice code of a denied charge", "2 digits"),
    from: instant("from", "Only requests from this time of the company's clock on"),
    until: instant("until", "Only requests before this time of the company's clock"),
    delay: text("delay", "Delay of a slow response, such as 45s; default: 30s", "time"),
    ...flags,
    allCompanies
  },
  ({ advice, allCompanies, call, code, delay, from, kind, message, until, ...given }) =>
    control(
      (client, company) =>
        Effect.gen(function* () {
          const subject = yield* read(given)
          const fault = yield* faultOf({ kind, code, message, advice, delay })
          return yield* client.faults.plan({
            ...(call === "any" ? {} : { call }),
            fault,
            ...subject,
            ...key("from", Option.map(from, instantOf)),
            ...key("until", Option.map(until, instantOf)),
            ...(allCompanies ? {} : { clientId: company })
          })
        }),
      (planned, paint) => shown(paint, [planned])
    )
).pipe(
  Command.withDescription("Inject a failure into the next requests to a simulated provider."),
  Command.withShortDescription("Plan a fault"),
  Command.withExamples([
    { command: "parcela sandbox faults plan charge denied --times 2", description: "The next two card charges" },
    {
      command: "parcela sandbox faults plan charge response-lost",
      description: "The money moves, and the response is lost"
    },
    { command: "parcela sandbox faults plan register unavailable", description: "The boleto bank is down" },
    {
      command: "parcela sandbox faults plan any unavailable --from 2027-03-01 --until 2027-03-03",
      description: "Every provider is down for two days of the company"
    }
  ])
)

const clear = Command.make("clear", { allCompanies }, ({ allCompanies }) =>
  control(
    (client, company) => client.faults.clear(allCompanies ? {} : { clientId: company }),
    ({ faults }, paint) => shown(paint, faults)
  )
).pipe(
  Command.withDescription("Remove the planned faults of the company, and list the remaining ones."),
  Command.withShortDescription("Remove planned faults"),
  Command.withExamples([{ command: "parcela sandbox faults clear", description: "No failures from now on" }])
)

export const faults = Command.make("faults").pipe(
  Command.withDescription("Inject failures into requests to the simulated providers"),
  Command.withSubcommands([list, plan, clear])
)

const { handler, input } = derivedControl("testCards", "list", ({ testCards }, paint) =>
  testCards.length === 0
    ? "There is no such test card."
    : table(
        paint,
        ["NUMBER", "BRAND", "GROUP", "RESULT"],
        testCards.map(({ brand, group, number, result }) => [number, brand, group, result]),
        { wraps: true }
      )
)

export const testCards = Command.make("test-cards", input, handler).pipe(
  Command.withDescription(
    "List the card numbers that decide the outcome of their charges, with any holder, any CVV and any future expiry. On the sandbox's own machine use them with --card-number."
  ),
  Command.withShortDescription("List test cards"),
  Command.withExamples([
    { command: "parcela sandbox test-cards --group 'often used'", description: "Common test cards" },
    { command: "parcela sandbox test-cards --brand visa --code 54", description: "Denied with a code" }
  ])
)
