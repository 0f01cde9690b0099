/**
 * A company's webhook deliveries, their attempts and replays, over HTTP.
 *
 * @since 0.1.0
 */
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import type { DeliveryRecord, DeliveryTry } from "@parcela/engine/ports/Outbox"
import type { WebhookReplay } from "@parcela/engine/ports/WebhookReplays"
import { BadRequest, NotFound } from "@parcela/transport/ApiError"
import type { DeliveriesGroup } from "@parcela/transport/sandbox/DeliveryControls"
import type { Operations } from "@parcela/http/Operation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Transactions } from "@parcela/engine/ports/Transactions"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import * as TransactionNames from "../TransactionNames.ts"
import { companyIdOf, present } from "./Company.ts"

/** Maximum number of listed attempts of a delivery: the latest ones explain why the delivery failed. */
const maxAttempts = 100

const shown = ({ problem, ...delivery }: DeliveryRecord) => ({
  ...delivery,
  ...present("problem", problem)
})

const shownAttempt = ({ duration, problem, startedAt, status }: DeliveryTry) => ({
  startedAt,
  duration,
  ...present("status", status),
  ...present("problem", problem)
})

const shownReplay = ({ createdAt, filter, id, isDone, replayed }: WebhookReplay) => ({
  replayId: id,
  of: filter.state,
  state: isDone ? ("done" as const) : ("running" as const),
  replayed,
  createdAt
})

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof DeliveriesGroup>,
  never,
  Deliveries | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const deliveries = yield* Deliveries
  const withNames = yield* TransactionNames.make
  return {
    "deliveries.list": Effect.fnUntraced(function* (request) {
      const { after, before, limit, ...filter } = request.query
      const companyId = yield* companyIdOf(companies, request)
      const found = yield* after === undefined
        ? deliveries.list(companyId, filter, before, limit)
        : deliveries.follow(companyId, filter, after, limit)
      return { deliveries: yield* withNames([companyId], found.map(shown)) }
    }),
    "deliveries.tries": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { webhookId } = request.params
      const attempts = yield* deliveries.tries(companyId, webhookId)
      return Option.isSome(attempts)
        ? { tries: attempts.value.slice(-maxAttempts).map(shownAttempt) }
        : yield* new NotFound({ message: `There is no delivery ${webhookId}` })
    }),
    "deliveries.replay": Effect.fnUntraced(function* (request) {
      const { webhookId } = request.params
      const companyId = yield* companyIdOf(companies, request)
      if (yield* deliveries.replay(companyId, webhookId)) return { replayed: true as const }
      const needs = "it has to be there and over, and its endpoint on and subscribed to its event"
      return yield* new BadRequest({ message: `Delivery ${webhookId} cannot be replayed: ${needs}` })
    }),
    "deliveries.replayAll": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      return { replay: shownReplay(yield* deliveries.replayAll(companyId, request.payload)) }
    }),
    "deliveries.findReplay": Effect.fnUntraced(function* (request) {
      const { replayId } = request.params
      const companyId = yield* companyIdOf(companies, request)
      const found = yield* deliveries.findReplay(companyId, replayId)
      return Option.isSome(found)
        ? { replay: shownReplay(found.value) }
        : yield* new NotFound({ message: `The company has no replay ${replayId}` })
    })
  }
})
