/**
 * `parcela sandbox faults`: injected failures of the next requests to the simulated providers.
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
    ? "No faults are planned: the next requests go well."
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
  Command.withDescription("List the faults that are still to come, of all companies."),
  Command.withShortDescription("List planned faults"),
  Command.withExamples([{ command: "parcela sandbox faults list", description: "Those that are still to come" }])
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
        "The request that goes wrong: tokenize, charge, capture or reverse (cards), register (boleto), open (Pix), lookup or cancel (all); any is each of them"
      )
    ),
    kind: Argument.Literals("fault", words).pipe(
      Argument.withDescription(
        "denied: the provider says no. unavailable: a 5xx. request-lost: nothing is done. response-lost: it is done, and nobody hears of it. duplicated: it arrives twice. hang, hang-done: no response ever. slow: a late response"
      )
    ),
    code: Flag.String("code").pipe(Flag.withDescription("Code of a denial"), Flag.withDefault("51")),
    message: text("message", "Message of a denial; what its code means when absent"),
    advice: text("advice", "Mastercard's merchant advice code beside a denied charge", "2 digits"),
    from: instant("from", "Requests from this time of the company's clock on"),
    until: instant("until", "Requests before this time of the company's clock"),
    delay: text("delay", "How late a slow response is, such as 45s; 30s when absent", "time"),
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
  Command.withDescription("Let the next requests to a simulated provider go wrong."),
  Command.withShortDescription("Let the next requests go wrong"),
  Command.withExamples([
    { command: "parcela sandbox faults plan charge denied --times 2", description: "The next two card charges" },
    {
      command: "parcela sandbox faults plan charge response-lost",
      description: "The money moves, and the service does not hear of it"
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
  Command.withDescription("Remove the planned faults of the company, and list what is left."),
  Command.withShortDescription("Remove planned faults"),
  Command.withExamples([{ command: "parcela sandbox faults clear", description: "From now on all goes well" }])
)

export const faults = Command.make("faults").pipe(
  Command.withDescription("What goes wrong with the next requests to the simulated providers"),
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
    "List the card numbers that decide what becomes of their charges, with any holder, any CVV and any expiry that is not past. On the sandbox's own machine they are for --card-number."
  ),
  Command.withShortDescription("Cards that are denied, and how"),
  Command.withExamples([
    { command: "parcela sandbox test-cards --group 'often used'", description: "Those that most need" },
    { command: "parcela sandbox test-cards --brand visa --code 54", description: "Denied with a code" }
  ])
)
