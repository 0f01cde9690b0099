/**
 * What is done for the kinds of due work that are about money that comes in, or does not.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import type { LeasedWork } from "../ports/DueWork.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import { ExpirePayment } from "../usecases/ExpirePayment.ts"
import { FetchChargebacks } from "../usecases/FetchChargebacks.ts"
import { FetchPayments } from "../usecases/FetchPayments.ts"
import { ReceivePayments } from "../usecases/ReceivePayments.ts"
import { done } from "./WorkResult.ts"

/** After so many tries, about a quarter of an hour, a payment of what nobody knows is unmatched. */
const triesToMatch = 8

const unreachable = ({ message: problem }: ProviderError) => Effect.succeed({ _tag: "Failed", problem } as const)

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const { expire } = yield* ExpirePayment
  const chargebacks = yield* FetchChargebacks
  const { fetch } = yield* FetchPayments
  const receipts = yield* ReceivePayments

  const applyPayment = Effect.fn("WorkHandlers.applyPayment")(function* ({ subject, tries }: LeasedWork) {
    const applied = yield* receipts.apply(Number(subject), { isLast: tries >= triesToMatch })
    if (applied === undefined) return { _tag: "Done", outcome: "gone" } as const
    const { problem = "It waits", standing } = applied
    if (standing === "waiting") return { _tag: "Failed", problem } as const
    return { _tag: "Done", outcome: standing } as const
  })

  const fetchPayments = Effect.fn("WorkHandlers.fetchPayments")(
    function* ({ companyId }: LeasedWork) {
      // Work about payments has a company.
      const dueAt = yield* fetch(companyId!)
      return dueAt === undefined ? done : ({ _tag: "DueLater", due: { clock: "business", dueAt } } as const)
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  const fetchChargeback = Effect.fn("WorkHandlers.fetchChargeback")(
    function* ({ companyId, subject: tid }: LeasedWork) {
      // Work about a charge has a company.
      const isDisputed = yield* chargebacks.fetch({ companyId: companyId!, tid })
      return { _tag: "Done", outcome: isDisputed ? "done" : "gone" } as const
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  const expirePayment = Effect.fn("WorkHandlers.expirePayment")(
    function* ({ companyId, subject }: LeasedWork) {
      // Work about a payment has a company.
      const expired = yield* expire(companyId!, SvcPayId.make(Number(subject)))
      switch (expired._tag) {
        case "Later":
          return { _tag: "DueLater", due: { clock: "business", dueAt: expired.dueAt } } as const
        case "Waits":
          return { _tag: "Failed", problem: "A payment of it was reported and is not decided on yet" } as const
        case "Done":
          return { _tag: "Done", outcome: expired.status } as const
      }
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  return {
    "apply payment": applyPayment,
    "fetch payments": fetchPayments,
    "fetch chargeback": fetchChargeback,
    "expire payment": expirePayment
  } as const
})
