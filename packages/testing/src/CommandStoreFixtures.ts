/**
 * What the suite of `CommandStore` starts from, and tests of adapters beside it.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import type { Decided } from "@parcela/engine/command/Decided"
import { type KeyWrite, writeSet } from "@parcela/engine/command/WriteSet"
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import { CommandStore, type Outcome } from "@parcela/engine/command/CommandStore"
import type { CompanyContext, KeyName } from "@parcela/engine/command/LoadedCompany"
import { Settings } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import {
  keptCard,
  keptCompany,
  keptCustomer,
  keptEndpoint,
  keptSubscription,
  minute,
  newTransaction
} from "./StoreFixtures.ts"
import { writeAttempt, writeTransaction } from "./StoreWrites.ts"

/**
 * What a load brings, with nothing written.
 *
 * @category running
 * @since 0.1.0
 */
export const look = <N extends LoadName>(load: N, args: Args<N>, key?: KeyName) =>
  Effect.map(
    CommandStore.use((store) =>
      store.run({
        load,
        args,
        key,
        decide: (loaded: Loaded<N>): Result.Result<Outcome<Loaded<N>>> =>
          Result.succeed({ value: loaded, writes: undefined })
      })
    ),
    ({ value }) => value
  )

/**
 * The write set of what a test decided, as `Commands` makes it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writes = Effect.map(
  Settings,
  (settings) => (decided: Partial<Decided<unknown>>, company: CompanyContext, key?: KeyWrite) =>
    writeSet(
      { guards: [], changes: [], events: [], ...decided },
      {
        company,
        at: { business: minute(1), machine: minute(1) },
        origin: { actor: { _tag: "Service" } },
        owner: "test",
        settings,
        key
      }
    )
)

/**
 * A payment with everything that it belongs to, of a company whose endpoint wants every event.
 *
 * @category kept
 * @since 0.1.0
 */
export const keptPayment = Effect.gen(function* () {
  const company = yield* keptCompany
  yield* keptEndpoint(company.id)
  const customer = yield* keptCustomer(company.id)
  const card = yield* keptCard(company.id, { customerId: customer.id })
  const subscription = yield* keptSubscription(company.id, { customerId: customer.id, cardId: card.id })
  const owner = { _tag: "Subscription", id: subscription.id } as const
  const opened = yield* newTransaction(company.id, { owner, cardId: card.id })
  yield* writeTransaction(opened)
  const attempt: Attempt = {
    id: AttemptId.make(`attempt of ${opened.id}`),
    companyId: company.id,
    transactionId: opened.id,
    kind: "charge",
    cardId: card.id,
    value: opened.value,
    provider: "cardOperator",
    startedAt: minute(0),
    businessAt: minute(1)
  }
  yield* writeAttempt(attempt)
  const args = { companyId: company.id, transaction: bySvcPayId(opened.id) }
  return { args, attempt, card, company, companyId: company.id, customer, opened, subscription }
})
