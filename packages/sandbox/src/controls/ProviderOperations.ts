/**
 * The ledger of the simulated providers, and the faults that are planned for them, over HTTP.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/values/Identifier"
import { Cards } from "@parcela/engine/ports/Cards"
import { ProviderLedger } from "@parcela/provider-simulator/ProviderLedger"
import { Fault, FaultPlan, type PlannedFault } from "@parcela/provider-simulator/SimulatorFaults"
import { BadRequest, NotFound, Unavailable } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import type * as FaultControls from "@parcela/transport/sandbox/FaultControls"
import type { LedgerGroup } from "@parcela/transport/sandbox/LedgerControls"
import type { FaultsGroup } from "@parcela/transport/sandbox/FaultControls"
import type { Operations } from "@parcela/http/ContractRoutes"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { keysOf } from "./Company.ts"

/** The most faults that are planned at once: each request looks through them. */
const mostPlanned = 1_000

/** `companyId` of the company that is named, or nothing when none is. */
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
  ProviderLedger | SandboxCompanies
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const ledger = yield* ProviderLedger
  return {
    "ledger.list": Effect.fnUntraced(function* ({ query: { after, clientId, limit = longestPage, ...filter } }) {
      const company = yield* companyNamed(companies, clientId)
      const entries = yield* Effect.catchTag(ledger.list({ ...filter, ...company }, { after, limit }), "SqlError", () =>
        Effect.fail(new Unavailable({ message: "The providers' store cannot be read now" }))
      )
      return { entries, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) }
    })
  }
})

const faultOf = (asked: typeof FaultControls.Fault.Type): Fault => {
  switch (asked.type) {
    case "Denied":
      return Fault.Denied({ code: asked.code, message: asked.message })
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
    case "Denied":
      return { type: "Denied", code: fault.code, message: fault.message }
    case "Hang":
      return { type: "Hang", isDone: fault.isDone }
    case "Slow":
      return { type: "Slow", milliseconds: Duration.toMillis(fault.delay) }
    default:
      return { type: fault._tag }
  }
}

/** Without the card's key in the vault, which nobody outside needs. */
const shownPlan = ({
  call,
  fault,
  subject: { card, ...subject },
  times
}: PlannedFault): typeof FaultControls.PlannedFault.Type => ({
  call,
  fault: shownFault(fault),
  ...subject,
  isOfOneCard: card !== undefined,
  times
})

/** The vault's key of a company's card. */
const cardNamed = Effect.fnUntraced(function* (
  cards: Cards["Service"],
  companyId: PlannedFault["subject"]["companyId"],
  cardId?: SvcPayId
) {
  if (cardId === undefined) return {}
  if (companyId === undefined) {
    return yield* new BadRequest({
      message: "The request has a fault",
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
  const planned = Effect.map(plan.planned, (faults) => ({ faults: faults.map(shownPlan) }))
  return {
    "faults.list": () => planned,
    "faults.plan": Effect.fnUntraced(function* ({ payload: { call, cardId, clientId, fault, times = 1, ...subject } }) {
      const company = yield* companyNamed(companies, clientId)
      const card = yield* cardNamed(cards, company.companyId, cardId)
      if ((yield* plan.planned).length >= mostPlanned) {
        return yield* new BadRequest({
          message: `At most ${mostPlanned} faults are planned at once: remove some first`
        })
      }
      const added: PlannedFault = { call, fault: faultOf(fault), subject: { ...subject, ...company, ...card }, times }
      yield* plan.add(added)
      return shownPlan(added)
    }),
    "faults.clear": Effect.fnUntraced(function* ({ query }) {
      yield* plan.clear((yield* companyNamed(companies, query.clientId)).companyId)
      return yield* planned
    })
  }
})
