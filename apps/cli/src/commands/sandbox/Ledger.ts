/**
 * `parcela sandbox ledger`: the requests to the simulated providers and their outcomes.
 *
 * @since 0.1.0
 */
import { Cents, format } from "@parcela/core/money/Cents"
import { type LedgerEntry, LedgerQuery } from "@parcela/transport/sandbox/ProviderControls"
import { Effect, Option, Schema, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import { contractFlags } from "../../ContractFlags.ts"
import { control, timeOf } from "../../Control.ts"
import type { Paint } from "../../Paint.ts"
import { table } from "../../Table.ts"
import { transactionOf } from "../../Transactions.ts"

type Entry = typeof LedgerEntry.Type

const isCents = Schema.is(Cents)

const { flags, read } = contractFlags(Struct.omit(LedgerQuery.fields, ["clientId"]))

/** A flag of lists that show only the connection's company by default. */
export const allCompanies = Flag.Boolean("all-companies").pipe(
  Flag.withDescription("Of every company, not of that of --client-id alone"),
  Flag.withDefault(false)
)

const outcomeOf = ({ code, outcome }: Entry): string => [outcome, code].filter((part) => part !== null).join(" ")

/** Returns remarks on a request in addition to its outcome. */
const remarkOf = ({ fault, isRepeat }: Entry): string =>
  [...(fault === null ? [] : [`fault ${fault}`]), ...(isRepeat ? ["repeated"] : [])].join(", ")

const columns = [
  "ID",
  "COMPANY'S TIME",
  "PROVIDER",
  "REQUEST",
  "TRANSACTION",
  "VALUE",
  "OUTCOME",
  "EFFECT",
  "REFERENCE",
  "REMARK",
  "ATTEMPT",
  "RECEIVED"
]

const shown = (paint: Paint, entries: ReadonlyArray<Entry>, next: number | null, isFirstPage: boolean): string =>
  entries.length === 0
    ? isFirstPage
      ? "The providers were not asked for anything."
      : "There are no entries after that one."
    : table(
        paint,
        columns,
        entries.map((one) => [
          String(one.id),
          timeOf(one.at),
          one.provider,
          one.call,
          transactionOf(one),
          isCents(one.value) ? format(one.value) : "",
          outcomeOf(one),
          one.effect,
          one.reference ?? "",
          remarkOf(one),
          one.attemptId ?? "",
          timeOf(one.receivedAt)
        ]),
        { leftOut: ["RECEIVED", "ATTEMPT", "REFERENCE", "COMPANY'S TIME", "PROVIDER"] }
      ) + (next === null ? "" : `\nThere are more: --after ${next}`)

export const ledger = Command.make("ledger", { ...flags, allCompanies }, ({ allCompanies, ...given }) =>
  control(
    (client, company) =>
      Effect.flatMap(read(given), (query) =>
        client.ledger.list({ ...query, ...(allCompanies ? {} : { clientId: company }) })
      ),
    ({ entries, next }, paint) => shown(paint, entries, next, Option.isNone(given.after))
  )
).pipe(
  Command.withDescription(
    "List the requests that the simulated providers received, in order: the providers' own books, to compare with what the service says. Money moved only where EFFECT is captured or reversed."
  ),
  Command.withShortDescription("What providers were asked, and did"),
  Command.withExamples([
    { command: "parcela sandbox ledger", description: "All of a company" },
    { command: "parcela sandbox ledger --transaction-id 4 --json", description: "Of one payment, for a script" }
  ])
)
