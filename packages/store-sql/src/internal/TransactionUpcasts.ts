/**
 * Older shapes of a transaction's state.
 *
 * @since 0.1.0
 */
import type { Upcast } from "./VersionedState.ts"

/** Version 1: one shape for all methods, with a key for each thing that may have happened. */
interface First {
  readonly subscriptionId: number
  readonly method: "creditcard" | "boleto" | "pix"
  readonly value: number
  readonly payedOutside: boolean
  readonly status: string
  readonly cardId?: number
  readonly attemptId?: string
  readonly lastSentAt?: number
  readonly refusal?: object
  readonly tid?: string
  readonly authorizationCode?: string
  readonly reversed?: number
  readonly reversing?: number
  readonly settlements?: ReadonlyArray<object>
  readonly boleto?: object
  readonly pix?: object
  readonly registeredAt?: number
  readonly documentKey?: string
  readonly createdAt: number
}

/** The keys that stay as they are. */
const common = [
  "id",
  "companyId",
  "myId",
  "value",
  "payday",
  "additionalInfo",
  "installment",
  "status",
  "statusAt",
  "createdAt",
  "updatedAt"
]

const defined = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const ofCard = (state: First) => {
  const { authorizationCode: code, cardId, lastSentAt, refusal, reversed, status, tid } = state
  const hasTaken = code !== undefined && status !== "denied"
  return defined({
    cardId,
    lastSentAt,
    authorization: hasTaken ? { tid, code } : undefined,
    denial: refusal === undefined ? undefined : { ...refusal, ...(hasTaken || tid === undefined ? {} : { tid }) },
    reversed: status === "reversed" ? undefined : reversed
  })
}

const kindOf = ({ method, reversing, status }: First) => {
  if (reversing !== undefined) return "reverse"
  if (method !== "creditcard") return "register"
  return status === "authorized" ? "capture" : "charge"
}

const registered = ({ boleto, createdAt, documentKey, pix, registeredAt: at = createdAt }: First) => {
  if (boleto !== undefined) return { slip: boleto, documentKey, at }
  return pix === undefined ? undefined : { charge: pix, documentKey, at }
}

const second: Upcast = (older) => {
  // Only our own code wrote version 1; what does not fit is found out when the result is decoded.
  const state = older as First
  const kept = Object.fromEntries(Object.entries(state).filter(([key]) => common.includes(key)))
  const owned = { ...kept, owner: { _tag: "Subscription", id: state.subscriptionId } }
  // Nothing but its entry made a payment one that was paid outside, so no provider ever received it.
  if (state.payedOutside) return { ...owned, method: "outside" }
  const { attemptId, method, reversing = state.value, settlements } = state
  return {
    ...owned,
    method,
    ...(method === "creditcard" ? ofCard(state) : defined({ registration: registered(state), settlements })),
    ...(attemptId === undefined ? {} : { underWay: { attemptId, kind: kindOf(state), value: reversing } })
  }
}

/** Version 2 calls it a refusal that a provider denied a registration. */
const third: Upcast = (older) => {
  // Only our own code wrote version 2.
  const { refused, ...rest } = older as { readonly refused?: object }
  return refused === undefined ? rest : { ...rest, registrationDenial: refused }
}

/**
 * Version 4 may have been registered anew, or be about to. An earlier program would ask about another registration, register
 * nothing anew and drop what was kept for it: it must not read such a row.
 */
const fourth: Upcast = (older) => older

/**
 * @category upcasts
 * @since 0.1.0
 */
export const transactionUpcasts: ReadonlyArray<Upcast> = [second, third, fourth]
