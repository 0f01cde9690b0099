/**
 * Applies fixtures, over HTTP.
 *
 * @since 0.1.0
 */
import { type CompanyId, payeeOf } from "@parcela/core/companies/CompanyState"
import { BusinessTime } from "@parcela/core/time/Instant"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { Companies } from "@parcela/engine/ports/Companies"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { DocumentsWithLetters } from "@parcela/http/SchemaVariants"
import type { Operations } from "@parcela/http/Operation"
import { FaultPlan, type PlannedFault } from "@parcela/provider-simulator/InjectedFailures"
import type { Applied, Fixtures, FixturesGroup } from "@parcela/transport/sandbox/FixtureControls"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as EntityFixtures from "../Fixtures.ts"
import { compared } from "../Fixtures.ts"
import { providersDown } from "../Paying.ts"
import { SandboxCompanies, keysOf } from "../SandboxCompanies.ts"
import { documentProblem } from "./CompanyOperations.ts"
import { plannedFault, shownPlan } from "./ProviderOperations.ts"

type Row = typeof Applied.Type
type File = typeof Fixtures.Type

/**
 * Advances the clock to the declared time. A clock that is already later is left unchanged, because clocks never go
 * back.
 */
const clock = Effect.fnUntraced(function* (
  clocks: ClockManagement["Service"],
  companyId: CompanyId,
  to: NonNullable<File["clock"]>
) {
  const about = { kind: "clock", name: new Date(to).toISOString() }
  const shown = yield* clocks.show(companyId)
  if (Option.isSome(shown) && shown.value.business >= to) return { ...about, outcome: "alreadyThere" } satisfies Row
  return yield* clocks.advance(companyId, { to: BusinessTime.make(to) }).pipe(
    Effect.as<Row>({ ...about, outcome: "created" }),
    Effect.catchTag("ClockNotAdvanced", ({ message }) =>
      Effect.succeed<Row>({ ...about, outcome: "refused", problem: message })
    )
  )
})

/** A field that is already set is not replaced. */
const identity = Effect.fnUntraced(function* (
  port: Companies["Service"],
  { clientId, companyId, withLetters }: { clientId: string; companyId: CompanyId; withLetters: boolean },
  declared: NonNullable<File["company"]>
) {
  const about = { kind: "company", name: clientId }
  const company = Option.getOrThrow(yield* port.find(companyId))
  const row = compared(about, declared, payeeOf(company))
  if (row.outcome === "alreadyThere") return row
  const { city, document, legalName } = company
  const set = compared(about, declared, { ...declared, ...definedOf({ city, document, legalName }) })
  if (set.outcome === "differs") return set
  const problem = documentProblem(declared, withLetters)
  if (problem !== undefined) return { ...about, outcome: "refused", problem: `document ${problem}` } satisfies Row
  yield* port.edit(companyId, declared)
  return { ...about, outcome: "created" } satisfies Row
})

const definedOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Returns the value with sorted, unique events, because order and repeats have no meaning. */
const withEventsOnce = <A extends { readonly events: ReadonlyArray<string> }>(one: A) => ({
  ...one,
  events: [...new Set(one.events)].toSorted()
})

const endpoint = Effect.fnUntraced(function* (
  management: EndpointManagement["Service"],
  companyId: CompanyId,
  declared: NonNullable<File["endpoints"]>[number]
) {
  const about = { kind: "endpoints", name: declared.url }
  return yield* management.ensure(companyId, declared).pipe(
    Effect.map(({ endpoint, isNew }): Row =>
      isNew ? { ...about, outcome: "created" } : compared(about, withEventsOnce(declared), withEventsOnce(endpoint))
    ),
    Effect.catchTag("TooManyEndpoints", ({ message }) =>
      Effect.succeed<Row>({ ...about, outcome: "refused", problem: message })
    )
  )
})

const nameOf = ({ call, fault, from, until }: ReturnType<typeof shownPlan>) =>
  JSON.stringify([call, Object.entries(fault).toSorted(), from, until])

/** Plans the declared failures. Failures have no names, so failures with equal fields are the same failure. */
const faults = (plan: FaultPlan["Service"], companyId: CompanyId, declared: NonNullable<File["faults"]>) =>
  plan
    .complete(companyId, (planned) => {
      const known = planned
        .filter(({ subject }) => Object.keys(subject).length === 1 && subject.companyId === companyId)
        .map(shownPlan)
      const added: Array<PlannedFault> = []
      const value = declared.map((item): Row => {
        const wanted = plannedFault(item, { companyId })
        const shown = shownPlan(wanted)
        const about = { kind: "faults", name: `${item.call ?? "every request"}: ${item.fault.type}` }
        const index = known.findIndex((one) => nameOf(one) === nameOf(shown))
        const [same] = index === -1 ? [] : known.splice(index, 1)
        if (same !== undefined) return compared(about, { times: shown.times }, same)
        added.push(wanted)
        return { ...about, outcome: "created" }
      })
      return { value, added }
    })
    .pipe(Effect.mapError(providersDown))

/**
 * @category operations
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const companies = yield* SandboxCompanies
  const port = yield* Companies
  const withLetters = yield* DocumentsWithLetters
  const endpoints = yield* EndpointManagement
  const entities = yield* EntityFixtures.make
  const plan = yield* FaultPlan

  const apply = Effect.fnUntraced(function* (companyId: CompanyId, clientId: string, file: File) {
    const company = { clientId, companyId, withLetters }
    return [
      ...(file.clock === undefined ? [] : [yield* clock(clocks, companyId, file.clock)]),
      ...(file.company === undefined ? [] : [yield* identity(port, company, file.company)]),
      ...(yield* Effect.forEach(file.endpoints ?? [], (declared) => endpoint(endpoints, companyId, declared))),
      ...(yield* entities(companyId, file)),
      ...(yield* faults(plan, companyId, file.faults ?? []))
    ]
  })

  const operations: Operations<typeof FixturesGroup> = {
    "fixtures.apply": Effect.fnUntraced(
      function* ({ params, payload }) {
        const { clientId, companyId } = yield* keysOf(companies, params.clientId)
        const origin = yield* Origin
        const applied = yield* Effect.provideService(apply(companyId, clientId, payload), Origin, {
          ...origin,
          actor: { _tag: "Client", clientId }
        })
        return { applied }
      },
      Effect.catchTag("ProviderError", () => Effect.fail(providersDown()))
    )
  }
  return operations
})
