/**
 * Controls for work that waits for somebody: due work that was parked after a defect, and deliveries that were given up.
 * They stand under `/sandbox`, for programs on this machine alone.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/EpochMillis"
import { detailsOf } from "@parcela/core/Faults"
import { nonEmptyString } from "@parcela/core/Text"
import { DeadLetters } from "@parcela/engine/DeadLetters"
import { DueWork, workKinds } from "@parcela/engine/ports/DueWork"
import { toResponse } from "@parcela/server/Edge"
import { BadRequest, NotFound } from "@parcela/transport/ApiError"
import * as Clock from "effect/Clock"
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

/** The most rows that a list returns. */
const longestList = 100

const WebhookId = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const decodeNumber = Schema.decodeUnknownEffect(Schema.NumberFromString.pipe(Schema.decodeTo(WebhookId)))

const number = (text: unknown) =>
  Effect.mapError(
    decodeNumber(text),
    ({ issue }) => new BadRequest({ message: "The request has faults", details: detailsOf(issue, "Request") })
  )

const releaseAsked = bodyAs(
  "Request",
  Schema.Struct({
    kind: Schema.Literals(workKinds),
    subject: nonEmptyString(255)
  })
)

const replayAsked = bodyAs("Request", Schema.Struct({ webhookId: Schema.optionalKey(WebhookId) }))

const timeOf = (at: EpochMillis): string => new Date(at).toISOString()

const json = (body: unknown) => HttpServerResponse.jsonUnsafe(body)

const notFound = (message: string) => toResponse(new NotFound({ message }))

/**
 * - `GET /sandbox/parked-work` lists the parked work of all companies, first parked first
 * - `POST /sandbox/parked-work/release` with `{ kind, subject }` makes one of it due
 * - `GET /sandbox/companies/{clientId}/dead-letters?after=0` lists a company's dead letters above a `webhookId`
 * - `GET /sandbox/companies/{clientId}/deliveries/{webhookId}/tries` lists the tries of a delivery
 * - `POST /sandbox/companies/{clientId}/dead-letters/replay` with `{ webhookId }` or nothing delivers one or all again
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const companies = yield* SandboxCompanies
    const deadLetters = yield* DeadLetters
    const dueWork = yield* DueWork

    const company = Effect.gen(function* () {
      const { clientId } = yield* HttpRouter.params
      const found = yield* companies.find(clientId ?? "")
      return Option.isSome(found)
        ? found.value.companyId
        : yield* Effect.fail(notFound("No company has that client id"))
    })

    const listParked = Effect.map(dueWork.listParked(longestList), (rows) =>
      json({ parkedWork: rows.map((row) => ({ ...row, parkedAt: timeOf(row.parkedAt) })) })
    )

    const release = Effect.gen(function* () {
      const { kind, subject } = yield* releaseAsked
      const isReleased = yield* dueWork.release(kind, subject, EpochMillis.make(yield* Clock.currentTimeMillis))
      return isReleased ? json({ released: true }) : notFound("No work of that kind and subject is parked")
    })

    const listDead = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const after = yield* number(new URL(url, "http://localhost").searchParams.get("after") ?? "0")
      const rows = yield* deadLetters.list(yield* company, {}, after)
      return json({ deadLetters: rows.map((row) => ({ ...row, givenUpAt: timeOf(row.givenUpAt) })) })
    })

    const listTries = Effect.gen(function* () {
      const { webhookId } = yield* HttpRouter.params
      const tries = yield* deadLetters.tries(yield* company, yield* number(webhookId))
      // The last ones say why it was given up.
      const last = tries.slice(-longestList)
      return json({ tries: last.map((made) => ({ ...made, startedAt: timeOf(made.startedAt) })) })
    })

    const replay = Effect.gen(function* () {
      const { webhookId } = yield* replayAsked
      const filter = webhookId === undefined ? {} : { webhookIds: [webhookId] }
      return json({ replayed: yield* deadLetters.replay(yield* company, filter) })
    })

    const routes = [
      ["GET", "/sandbox/parked-work", listParked],
      ["POST", "/sandbox/parked-work/release", release],
      ["GET", "/sandbox/companies/:clientId/dead-letters", listDead],
      ["POST", "/sandbox/companies/:clientId/dead-letters/replay", replay],
      ["GET", "/sandbox/companies/:clientId/deliveries/:webhookId/tries", listTries]
    ] as const
    for (const [method, path, handler] of routes) {
      const answered = Effect.catchTag(handler, "BadRequest", (refusal) => Effect.succeed(toResponse(refusal)))
      yield* router.add(method, path, onlyFromHere(answered))
      for (const other of methodsBut(method)) yield* router.add(other, path, notAllowed(method))
    }
  })
).pipe(Layer.provide(SandboxCompanies.layer))
