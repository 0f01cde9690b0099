/**
 * Controls for due work that was parked after a defect and waits for somebody. They stand under `/sandbox`, for programs on this machine alone.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { nonEmptyString } from "@parcela/core/values/Text"
import { DueWork, workKinds } from "@parcela/engine/ports/DueWork"
import { toResponse } from "@parcela/http/Edge"
import { NotFound } from "@parcela/transport/ApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import { bodyAs } from "./ControlBody.ts"
import { methodsBut, notAllowed, onlyFromHere } from "./LocalRoutes.ts"

/** The most rows that a list returns. */
const longestList = 100

const releaseAsked = bodyAs(
  "Request",
  Schema.Struct({
    kind: Schema.Literals(workKinds),
    subject: nonEmptyString(255)
  })
)

const timeOf = (at: EpochMillis): string => new Date(at).toISOString()

const json = (body: unknown) => HttpServerResponse.jsonUnsafe(body)

const notFound = (message: string) => toResponse(new NotFound({ message }))

/**
 * - `GET /sandbox/parked-work` lists the parked work of all companies, first parked first
 * - `POST /sandbox/parked-work/release` with `{ kind, subject }` makes one of it due
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const dueWork = yield* DueWork

    const listParked = Effect.map(dueWork.listParked(longestList), (rows) =>
      json({ parkedWork: rows.map((row) => ({ ...row, parkedAt: timeOf(row.parkedAt) })) })
    )

    const release = Effect.gen(function* () {
      const { kind, subject } = yield* releaseAsked
      const isReleased = yield* dueWork.release(kind, subject, EpochMillis.make(yield* Clock.currentTimeMillis))
      return isReleased ? json({ released: true }) : notFound("No work of that kind and subject is parked")
    })

    const routes = [
      ["GET", "/sandbox/parked-work", listParked],
      ["POST", "/sandbox/parked-work/release", release]
    ] as const
    for (const [method, path, handler] of routes) {
      const answered = Effect.catchTag(handler, "BadRequest", (refusal) => Effect.succeed(toResponse(refusal)))
      yield* router.add(method, path, onlyFromHere(answered))
      for (const other of methodsBut(method)) yield* router.add(other, path, notAllowed(method))
    }
  })
)
