/**
 * Controls for the simulated payment providers: what was asked of them, and what goes wrong next. They stand under
 * `/sandbox`, for programs on this machine alone.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/Faults"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { nonEmptyString } from "@parcela/core/values/Text"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { type LedgerEntry, longestPage, ProviderLedger } from "@parcela/provider-simulator/ProviderLedger"
import { Call, Fault, FaultPlan, type PlannedFault } from "@parcela/provider-simulator/SimulatorFaults"
import { toResponse } from "@parcela/http/Edge"
import { BadRequest, NotFound, Unavailable } from "@parcela/transport/ApiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { bodyAs } from "./ControlBody.ts"
import { methodsBut, notAllowed, onlyFromHere } from "./LocalRoutes.ts"
import { SandboxCompanies } from "./SandboxCompanies.ts"

// Numbers in an address are text.
const naturalInAddress = Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Natural))
const svcPayIdInAddress = Schema.NumberFromString.pipe(Schema.decodeTo(SvcPayId))
const pageSizeInAddress = Schema.NumberFromString.pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestPage })))
)

const LedgerQuery = Schema.Struct({
  clientId: Schema.optionalKey(nonEmptyString(255)),
  attemptId: Schema.optionalKey(AttemptId),
  transactionId: Schema.optionalKey(svcPayIdInAddress),
  after: Schema.optionalKey(naturalInAddress),
  limit: Schema.optionalKey(pageSizeInAddress)
})

const FaultsQuery = Schema.Struct({ clientId: Schema.optionalKey(nonEmptyString(255)) })

/** As long as the most patient caller waits, a hundred times over. */
const longestDelay = 3_600_000

const NewFault = Schema.Union([
  Schema.Struct({ type: Schema.Literal("Denied"), code: nonEmptyString(4), message: nonEmptyString(255) }),
  Schema.Struct({ type: Schema.Literals(["Unavailable", "NeverArrived", "AnswerLost", "AnsweredTwice"]) }),
  Schema.Struct({ type: Schema.Literal("Hang"), isDone: Schema.Boolean }),
  Schema.Struct({
    type: Schema.Literal("Slow"),
    milliseconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestDelay }))
  })
])

const Planning = Schema.Struct({
  clientId: Schema.optionalKey(nonEmptyString(255)),
  attemptId: Schema.optionalKey(AttemptId),
  transactionId: Schema.optionalKey(SvcPayId),
  call: Call,
  fault: NewFault,
  times: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))
})

const planningAsked = bodyAs("Request", Planning)

/** The most faults that are planned at once: each request looks through them. */
const mostPlanned = 1_000

const faultOf = (asked: typeof NewFault.Type): Fault => {
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

// Without the card: the key of a vault is nobody's business outside.
const shownFault = ({ call, fault: { _tag, ...fault }, subject, times }: PlannedFault) => ({
  call,
  fault: { type: _tag, ...("delay" in fault ? { milliseconds: Duration.toMillis(fault.delay) } : fault) },
  companyId: subject.companyId,
  attemptId: subject.attemptId,
  transactionId: subject.transactionId,
  times
})

const timeOf = (at: number): string => new Date(at).toISOString()

const shownEntry = (entry: LedgerEntry) => ({
  ...entry,
  at: entry.at === null ? null : timeOf(entry.at),
  receivedAt: timeOf(entry.receivedAt)
})

/** The parameters of the address; one that is there twice is a list, which no parameter may be. */
const parameters = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const { searchParams } = new URL(url, "http://localhost")
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    })
  )
})

const queryAs = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.mapError(
    Effect.flatMap(parameters, (named) => decode(named)),
    ({ issue }) => new BadRequest({ message: "The request has faults", details: detailsOf(issue, "Request") })
  )
}

const ledgerAsked = queryAs(LedgerQuery)
const forgettingAsked = queryAs(FaultsQuery)

const json = (body: unknown) => HttpServerResponse.jsonUnsafe(body)

/**
 * - `GET /sandbox/ledger?clientId=&attemptId=&transactionId=&after=0&limit=100` lists what was asked of the providers, in
 *   the order in which it was received
 * - `POST /sandbox/faults` with `{ call, fault: { type }, clientId, attemptId, transactionId, times }` plans a fault
 * - `GET /sandbox/faults` lists the faults that are still to come
 * - `DELETE /sandbox/faults?clientId=` forgets those of a company, or all
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const companies = yield* SandboxCompanies
    const ledger = yield* ProviderLedger
    const plan = yield* FaultPlan

    const companyOf = Effect.fnUntraced(function* (clientId: string | undefined) {
      if (clientId === undefined) return {}
      const found = yield* companies.find(clientId)
      return Option.isSome(found)
        ? { companyId: found.value.companyId }
        : yield* Effect.fail(toResponse(new NotFound({ message: "No company has that client id" })))
    })

    const listLedger = Effect.gen(function* () {
      const { after, clientId, limit = longestPage, ...filter } = yield* ledgerAsked
      const company = yield* companyOf(clientId)
      const entries = yield* Effect.catchTag(ledger.list({ ...filter, ...company }, { after, limit }), "SqlError", () =>
        Effect.fail(toResponse(new Unavailable({ message: "The providers' store cannot be read now" })))
      )
      return json({ entries: entries.map(shownEntry), next: entries.length < limit ? null : entries.at(-1)?.id })
    })

    const planFault = Effect.gen(function* () {
      const { call, clientId, fault, times = 1, ...subject } = yield* planningAsked
      const company = yield* companyOf(clientId)
      if ((yield* plan.planned).length >= mostPlanned) {
        return yield* new BadRequest({ message: "Too many faults are planned: forget some first" })
      }
      const planned: PlannedFault = { call, fault: faultOf(fault), subject: { ...subject, ...company }, times }
      yield* plan.add(planned)
      return json(shownFault(planned))
    })

    const listFaults = Effect.map(plan.planned, (planned) => json({ faults: planned.map(shownFault) }))

    const forgetFaults = Effect.gen(function* () {
      const { clientId } = yield* forgettingAsked
      yield* plan.clear((yield* companyOf(clientId)).companyId)
      return yield* listFaults
    })

    const routes = [
      ["GET", "/sandbox/ledger", listLedger],
      ["POST", "/sandbox/faults", planFault],
      ["GET", "/sandbox/faults", listFaults],
      ["DELETE", "/sandbox/faults", forgetFaults]
    ] as const
    for (const [method, path, handler] of routes) {
      const answered = Effect.catchTag(handler, "BadRequest", (refusal) => Effect.succeed(toResponse(refusal)))
      yield* router.add(method, path, onlyFromHere(answered))
    }
    for (const other of methodsBut("GET")) yield* router.add(other, "/sandbox/ledger", notAllowed("GET"))
    const ofFaults = ["GET", "POST", "DELETE"] as const
    for (const other of methodsBut(...ofFaults))
      yield* router.add(other, "/sandbox/faults", notAllowed(ofFaults.join(", ")))
  })
).pipe(Layer.provide(SandboxCompanies.layer))
