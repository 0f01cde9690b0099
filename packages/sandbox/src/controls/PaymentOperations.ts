/**
 * Payments of boletos and Pix charges, over HTTP.
 *
 * @since 0.1.0
 */
import { byMyId, bySvcPayId, type EntityRef, type MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { IncomingPayments, type ReportedPayment } from "@parcela/engine/ports/IncomingPayments"
import type { Operations } from "@parcela/http/Operation"
import { type NotPayable, Payers, type Payment } from "@parcela/provider-simulator/Payers"
import { BadRequest, GatewayTimeout } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import type { PaymentsGroup } from "@parcela/transport/sandbox/PaymentControls"
import * as Effect from "effect/Effect"
import * as Paying from "../Paying.ts"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import * as TransactionNames from "../TransactionNames.ts"
import { companyIdOf, present } from "./Company.ts"

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
const named = ({ myId, transactionId = 1 }: { readonly myId?: MyId; readonly transactionId?: number }): EntityRef =>
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
export const make = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const incoming = yield* IncomingPayments
  const withNames = yield* TransactionNames.make
  const payers = yield* Payers
  const pay = yield* Paying.make
  const operations: Operations<typeof PaymentsGroup> = {
    "payments.pay": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { payments, ...rest } = yield* Effect.catchTags(
        pay(companyId, named(request.payload), request.payload),
        refusals(request.params.clientId)
      )
      return { payments: yield* withNames([companyId], payments.map(made)), ...rest }
    }),
    "payments.list": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const { after = 0, limit = longestPage, transactionId } = request.query
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
      const { after = 0, limit = longestPage, standing } = request.query
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
