/**
 * The ledger of the simulated providers, their planned failures and their test cards, over HTTP.
 *
 * @since 0.1.0
 */
import { BusinessTime } from "@parcela/core/time/Instant"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import { Cards } from "@parcela/engine/ports/Cards"
import { meaningOf, type TestCard, testCards } from "@parcela/provider-simulator/TestCards"
import { ProviderLedger } from "@parcela/provider-simulator/ProviderLedger"
import { Fault, FaultPlan, type PlannedFault } from "@parcela/provider-simulator/InjectedFailures"
import { BadRequest, NotFound, Unavailable } from "@parcela/transport/ApiError"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import type * as FaultControls from "@parcela/transport/sandbox/ProviderControls"
import type { FaultsGroup, LedgerGroup } from "@parcela/transport/sandbox/ProviderControls"
import type { Operations } from "@parcela/http/Operation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type { Transactions } from "@parcela/engine/ports/Transactions"
import { SandboxCompanies, keysOf, present } from "../SandboxCompanies.ts"
import * as TransactionNames from "../TransactionNames.ts"
import type { TestCardsGroup } from "@parcela/transport/sandbox/CardControls"

/** Maximum number of planned failures, because each provider request searches all of them. */
const maxPlanned = 1_000

const stored = <A>(work: Effect.Effect<A, SqlError>) =>
  Effect.mapError(work, () => new Unavailable({ message: "The providers' store cannot be used now: try again" }))

/** Returns the `companyId` of the named company, or an empty object without a name. */
const companyNamed = Effect.fnUntraced(function* (companies: SandboxCompanies["Service"], clientId?: string) {
  if (clientId === undefined) return {}
  const { companyId } = yield* keysOf(companies, clientId)
  return { companyId }
})

/**
 * @category operations
 * @since 0.1.0
 */
export const ledger: Effect.Effect<
  Operations<typeof LedgerGroup>,
  never,
  ProviderLedger | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const ledger = yield* ProviderLedger
  const withNames = yield* TransactionNames.makeNames
  return {
    "ledger.list": Effect.fnUntraced(function* ({ query: { after, clientId, limit = maxPageSize, ...filter } }) {
      const company = yield* companyNamed(companies, clientId)
      const entries = yield* stored(ledger.list({ ...filter, ...company }, { after, limit }))
      // Numbers of transactions are unique per company only.
      const companyIds = new Set(entries.flatMap(({ companyId }) => companyId ?? []))
      return {
        entries: yield* withNames([...companyIds], entries),
        next: entries.length < limit ? null : (entries.at(-1)?.id ?? null)
      }
    })
  }
})

const faultOf = (asked: typeof FaultControls.Fault.Type): Fault => {
  switch (asked.type) {
    case "Denied": {
      const { code, merchantAdviceCode, message = meaningOf(null, code) } = asked
      return Fault.Denied({ code, message, merchantAdviceCode })
    }
    case "Hang":
      return Fault.Hang({ isDone: asked.isDone })
    case "Slow":
      return Fault.Slow({ delay: Duration.millis(asked.milliseconds) })
    default:
      return Fault[asked.type]()
  }
}

const shownFault = (fault: Fault): typeof FaultControls.Fault.Type => {
  switch (fault._tag) {
    case "Denied": {
      const { code, merchantAdviceCode, message } = fault
      return { type: "Denied", code, message, ...present("merchantAdviceCode", merchantAdviceCode) }
    }
    case "Hang":
      return { type: "Hang", isDone: fault.isDone }
    case "Slow":
      return { type: "Slow", milliseconds: Duration.toMillis(fault.delay) }
    default:
      return { type: fault._tag }
  }
}

/** Returns a plan without the card's key in the vault, which is internal. */
export const shownPlan = ({
  call,
  fault,
  from,
  subject: { card, ...subject },
  times,
  until
}: PlannedFault): typeof FaultControls.PlannedFault.Type => ({
  ...present("call", call),
  fault: shownFault(fault),
  ...subject,
  isOfOneCard: card !== undefined,
  ...present("times", times),
  ...present("from", from),
  ...present("until", until)
})

/** Returns the plan of a requested failure: once, unless the request has a count or a period. */
export const plannedFault = (
  {
    call,
    fault,
    from,
    times,
    until
  }: Pick<typeof FaultControls.NewFault.Type, "call" | "fault" | "from" | "times" | "until">,
  subject: PlannedFault["subject"]
): PlannedFault => ({
  call,
  fault: faultOf(fault),
  subject,
  times: times ?? (from === undefined && until === undefined ? 1 : undefined),
  from: from === undefined ? undefined : BusinessTime.make(from),
  until: until === undefined ? undefined : BusinessTime.make(until)
})

/** Returns the vault's key of a company's card. */
const cardNamed = Effect.fnUntraced(function* (
  cards: Cards["Service"],
  companyId: PlannedFault["subject"]["companyId"],
  cardId?: SvcPayId
) {
  if (cardId === undefined) return {}
  if (companyId === undefined) {
    return yield* new BadRequest({
      message: "The request is invalid",
      details: { "Fault.clientId": ["is required with cardId: a card belongs to a company"] }
    })
  }
  const found = yield* cards.find(companyId, { typeId: "svcPayId", id: cardId })
  return Option.isSome(found)
    ? { card: found.value.vaultToken }
    : yield* new NotFound({ message: `The company has no card ${cardId}` })
})

/**
 * @category operations
 * @since 0.1.0
 */
export const faults: Effect.Effect<
  Operations<typeof FaultsGroup>,
  never,
  Cards | FaultPlan | SandboxCompanies
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const cards = yield* Cards
  const plan = yield* FaultPlan
  const planned = stored(Effect.map(plan.planned, (faults) => ({ faults: faults.map(shownPlan) })))
  return {
    "faults.list": () => planned,
    "faults.plan": Effect.fnUntraced(function* ({ payload }) {
      const { attemptId, cardId, clientId, transactionId } = payload
      const subject = { ...present("attemptId", attemptId), ...present("transactionId", transactionId) }
      const company = yield* companyNamed(companies, clientId)
      const card = yield* cardNamed(cards, company.companyId, cardId)
      if ((yield* planned).faults.length >= maxPlanned) {
        return yield* new BadRequest({
          message: `At most ${maxPlanned} faults are planned at once: remove some first`
        })
      }
      const added = plannedFault(payload, { ...subject, ...company, ...card })
      yield* stored(plan.add(added))
      return shownPlan(added)
    }),
    "faults.clear": Effect.fnUntraced(function* ({ query }) {
      yield* stored(plan.clear((yield* companyNamed(companies, query.clientId)).companyId))
      return yield* planned
    })
  }
})

const codeOf = ({ behaviour }: TestCard): string | undefined => ("code" in behaviour ? behaviour.code : undefined)

const shown = (card: TestCard) => {
  const { brand, group, name, number, result } = card
  return { number, name, brand, group, result, ...present("code", codeOf(card)) }
}

/**
 * @category operations
 * @since 0.1.0
 */
export const testCardControls: Operations<typeof TestCardsGroup> = {
  "testCards.list": ({ query: { brand, code, group } }) => {
    const matches = (wanted: string | undefined, is: string | undefined) =>
      wanted === undefined || wanted.toLowerCase() === is?.toLowerCase()
    const found = testCards.filter(
      (card) => matches(brand, card.brand) && matches(code, codeOf(card)) && matches(group, card.group)
    )
    return Effect.succeed({ testCards: found.map(shown) })
  }
}
