/** One of those that are compared: both throw on a value that breaks a limit. */
export interface Contender {
  readonly decode: (json: unknown) => unknown
  readonly encode: (value: never) => unknown
}

/** A day that exists; the others have no type for it. */
export const isDay = (text: string): boolean => {
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** Text that every database can keep. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

/** At most that many code points; the others count UTF-16 units. */
export const hasAtMost = (maximum: number) => {
  return (text: string): boolean => text.length <= maximum || [...text].length <= maximum
}

export const transactionStatuses = [
  "notSend",
  "authorized",
  "captured",
  "denied",
  "reversed",
  "chargeback",
  "pendingBoleto",
  "payedBoleto",
  "notCompensated",
  "lessValueBoleto",
  "moreValueBoleto",
  "paidDuplicityBoleto",
  "pendingPix",
  "payedPix",
  "unavailablePix",
  "cancel",
  "payExternal",
  "cancelByContract",
  "free"
] as const

export const subscriptionStatuses = ["active", "canceled", "closed", "stopped", "waitingPayment", "inactive"] as const
