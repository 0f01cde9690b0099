/**
 * Payments of boletos and Pix charges, and disputes of card payments, over HTTP. The simulated operator reports a dispute as
 * any operator's adapter does.
 *
 * @since 0.1.0
 */
import { byMyId, bySvcPayId, type EntityRef, type MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { IncomingPayments, type ReportedPayment } from "@parcela/engine/ports/IncomingPayments"
import type { Operations } from "@parcela/http/Operation"
import { type NotPayable, Payers, type Payment } from "@parcela/provider-simulator/Payers"
import { BadRequest, GatewayTimeout, NotFound } from "@parcela/transport/ApiError"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import type { PaymentsGroup } from "@parcela/transport/sandbox/PaymentControls"
import * as Effect from "effect/Effect"
import * as Paying from "../Paying.ts"
import { SandboxCompanies, companyIdOf, present } from "../SandboxCompanies.ts"
import * as TransactionNames from "../TransactionNames.ts"
import { referencesOf } from "@parcela/core/transactions/TransactionState"
import { dispute } from "@parcela/core/transactions/TransactionReversal"
import type { Charges } from "@parcela/engine/ports/Charges"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { ReceiveChargebacks } from "@parcela/engine/payments/IncomingPayments"
import { disputeOf } from "@parcela/provider-simulator/SimulatedChargebacks"
import type { ChargebacksGroup } from "@parcela/transport/sandbox/CardControls"
import * as Option from "effect/Option"

const made = ({ id, isAcknowledged, method, paidAt, reportAt, transactionId, value }: Payment) => ({
  id,
  method,
  transactionId,
  value,
  paidAt,
  reportAt,
  isAcknowledged
})

const reported = ({ id: number, problem, receivedAt, report, standing, transactionId }: ReportedPayment) => ({
  number,
  id: report.id,
  method: report.method,
  reference: report.reference.value,
  ...(report.method === "creditcard" ? {} : { value: report.value, paidAt: report.paidAt }),
  standing,
  ...present("transactionId", transactionId),
  ...present("problem", problem),
  receivedAt
})

/** The contract requires exactly one of `myId` and `transactionId`. */
const refOf = ({ myId, transactionId = 1 }: { readonly myId?: MyId; readonly transactionId?: number }): EntityRef =>
  myId === undefined ? bySvcPayId(SvcPayId.make(transactionId)) : byMyId(myId)

const nextOf = (numbers: ReadonlyArray<number>, limit: number) =>
  numbers.length < limit ? null : (numbers.at(-1) ?? null)

const refusals = (clientId: string) => ({
  NotPayable: ({ message }: NotPayable) => Effect.fail(new BadRequest({ message })),
  PaymentUnknown: () =>
    Effect.fail(
      new GatewayTimeout({
        message:
          `The payment may have been made. GET /sandbox/companies/${clientId}/payments lists it if so. ` +
          "A repeated order with the same name is paid once."
      })
    )
})

/**
 * @category operations
 * @since 0.1.0
 */
export const payments = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const incoming = yield* IncomingPayments
  const withNames = yield* TransactionNames.makeNames
  const payers = yield* Payers
  const pay = yield* Paying.make
  const operations: Operations<typeof PaymentsGroup> = {
    "payments.pay": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { payments, ...rest } = yield* Effect.catchTags(
        pay(companyId, refOf(request.payload), request.payload),
        refusals(request.params.clientId)
      )
      return { payments: yield* withNames([companyId], payments.map(made)), ...rest }
    }),
    "payments.list": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { after = 0, limit = maxPageSize, transactionId } = request.query
      const of = transactionId === undefined ? undefined : SvcPayId.make(transactionId)
      const page = { after, limit, transactionId: of }
      const found = yield* Effect.mapError(payers.list(companyId, page), Paying.providersDown)
      return {
        payments: yield* withNames([companyId], found.map(made)),
        next: nextOf(
          found.map(({ number }) => number),
          limit
        )
      }
    }),
    "payments.reported": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { after = 0, limit = maxPageSize, standing } = request.query
      const found = yield* incoming.list({ companyId, standing }, { after, limit })
      return {
        payments: yield* withNames([companyId], found.map(reported)),
        next: nextOf(
          found.map(({ id }) => id),
          limit
        )
      }
    })
  }
  return operations
})

const disputeMade =
  "The dispute was made, but the status of the transaction could not be read: repeat the request to get it"

/**
 * @category operations
 * @since 0.1.0
 */
export const chargebacks: Effect.Effect<
  Operations<typeof ChargebacksGroup>,
  never,
  Charges | ClockManagement | ReceiveChargebacks | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const companies = yield* SandboxCompanies
  const named = yield* TransactionNames.makeFind
  const { receive } = yield* ReceiveChargebacks
  const transactions = yield* Transactions

  return {
    "chargebacks.open": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const transaction = yield* named(companyId, refOf(request.payload))
      const clock = yield* clocks.show(companyId)
      if (Option.isNone(clock)) return yield* new NotFound({ message: "There is no such company" })
      // An earlier denied attempt has a reference of its own; the last reference is the captured one.
      const reference = referencesOf(transaction).findLast(({ kind }) => kind === "tid")
      if (reference === undefined) {
        return yield* new BadRequest({ message: "The card operator knows no charge of this transaction" })
      }
      const disputed = disputeOf(companyId, reference.value)
      // An operator reports a dispute only for a captured amount.
      yield* Effect.fromResult(dispute(transaction, disputed.id, clock.value.business))
      yield* receive(disputed)
      const after = yield* Effect.catchTag(transactions.find(companyId, bySvcPayId(transaction.id)), "StoreError", () =>
        Effect.fail(new GatewayTimeout({ message: disputeMade }))
      )
      return { status: Option.getOrElse(after, () => transaction).status }
    })
  }
})
