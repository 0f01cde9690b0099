/**
 * The line of a delivery: as text for people, or as JSON for programs. Neither contains `confirmHash` or card data.
 *
 * @since 0.1.0
 */
import { Cents, format } from "@parcela/core/money/Cents"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { fromEpochMillis } from "@parcela/core/time/Instant"
import { transactionGroups, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import type { Delivery } from "@parcela/webhooks/Delivery"
import type { Received } from "@parcela/webhooks/Receiver"
import * as Schema from "effect/Schema"
import { stripVTControlCharacters } from "node:util"

/** A terminal with at most this many columns breaks most full lines. */
const narrow = 99

const timeOfDay = "09:00:00".length

const timeOf = (at: number, isNarrow: boolean): string => {
  const time = fromEpochMillis(at)
  return isNarrow ? time.slice(-timeOfDay) : time
}

/**
 * Returns `2026-08-01 09:00:00  transaction.updateStatus  #42  pay-1 (svcPayId 77)  captured  R$ 12,34`, in Brazil time.
 *
 * Ends with `late` if a newer delivery of the same payment was received before, and with `again` if it may have been
 * printed before. For a narrow terminal, the line has the time of day and one id. If the line is still too long, it has
 * the end of the id, because generated ids such as UUIDs differ at the end.
 */
export const textLine = (
  { late, message, receivedAt, attempts }: Delivery,
  { colour, columns, naming }: { readonly colour: boolean; readonly columns: number; readonly naming: NamingProfile }
): string => {
  const isNarrow = columns <= narrow
  const idKey = `${naming.name}Id`
  const paint = colour ? painted : plain
  const parts = [
    paint("dim", timeOf(receivedAt, isNarrow)),
    paint("bold", safe(message.event)),
    `#${message.webhookId}`
  ]
  const { subscription, transaction } = message
  const ends: Array<string> = []
  if (transaction?.status !== undefined) ends.push(paint(colourOf(transaction.status), safe(transaction.status)))
  if (isCents(transaction?.value)) ends.push(format(transaction.value))
  if (late) ends.push(paint("yellow", "late"))
  if (attempts > 1) ends.push(paint("dim", "again"))
  const entity = transaction ?? subscription
  if (entity === undefined) return [...parts, ...ends].join("  ")
  const kind = transaction === undefined ? "subscription " : ""
  const others = stripVTControlCharacters([...parts, kind, ...ends].join("  ")).length
  return [...parts, kind + endOf(idsOf(entity, idKey, isNarrow), columns - others), ...ends].join("  ")
}

/** Minimum length of a shortened id. */
const minId = 8

/** Returns the end of an id that fits into the columns. */
const endOf = (id: string, columns: number): string => {
  const length = Math.max(columns, minId)
  return id.length > length ? `…${id.slice(1 - length)}` : id
}

/** Returns the line of a delivery that is already stored. */
export const repeatedLine = (
  { message, receivedAt }: Received,
  { colour, columns }: { readonly colour: boolean; readonly columns: number }
): string => {
  const paint = colour ? painted : plain
  const parts = [
    timeOf(receivedAt, columns <= narrow),
    safe(message.event),
    `#${message.webhookId}`,
    "repeated, not new"
  ]
  return paint("dim", parts.join("  "))
}

/**
 * Returns the delivery as a JSON object with the names of the sender's naming profile. Absent values are left out, and
 * so are `late: false` and `attempts: 1`.
 */
export const jsonLine = ({ late, message, receivedAt, sender, attempts }: Delivery, naming: NamingProfile): string => {
  const { event, subscription, transaction, webhookId } = message
  return JSON.stringify({
    receivedAt: new Date(receivedAt).toISOString(),
    sender,
    event,
    webhookId,
    late: late || undefined,
    attempts: attempts === 1 ? undefined : attempts,
    transaction: transaction && naming.toWire(pick(transaction, fieldsOfTransaction)),
    subscription: subscription && naming.toWire(pick(subscription, fieldsOfSubscription))
  })
}

const fieldsOfTransaction = [
  "svcPayId",
  "myId",
  "subscriptionSvcPayId",
  "subscriptionMyId",
  "status",
  "statusDate",
  "value",
  "payday",
  "tid",
  "authorizationCode"
] as const

const fieldsOfSubscription = ["svcPayId", "myId", "status"] as const

// Excludes customers, cards and codes: logs must not contain personal data.
const pick = <A extends object>(entity: A, fields: ReadonlyArray<keyof A>): object =>
  Object.fromEntries(fields.map((field) => [field, entity[field]]))

type Style = "dim" | "bold" | "green" | "yellow" | "red"

const codes: Record<Style, readonly [number, number]> = {
  dim: [2, 22],
  bold: [1, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39]
}

const painted = (style: Style, text: string): string => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`
const plain = (_: Style, text: string): string => text

const groupColours = {
  open: "yellow",
  authorized: "yellow",
  paid: "green",
  denied: "red",
  reversed: "red",
  disputed: "red",
  void: "dim"
} as const

const isStatus = Schema.is(TransactionStatus)
const isCents = Schema.is(Cents)

const colourOf = (status: string): Style => (isStatus(status) ? groupColours[transactionGroups[status]] : "bold")

interface Ids {
  readonly myId?: string | undefined
  readonly svcPayId?: number | undefined
}

const idsOf = ({ myId, svcPayId }: Ids, idKey: string, isNarrow: boolean): string => {
  if (myId === undefined) return svcPayId === undefined ? "without id" : `${idKey} ${svcPayId}`
  return svcPayId === undefined || isNarrow ? safe(myId) : `${safe(myId)} (${idKey} ${svcPayId})`
}

// Text of a sender must not move the cursor, forge a line, or change the text direction of a terminal.
const safe = (text: string): string => {
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")
  return printable.length > 80 ? `${printable.slice(0, 79)}…` : printable
}
