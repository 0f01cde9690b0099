/**
 * The due work that follows from a decision: what is to be done later, and what is not to be done any more.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Duration from "effect/Duration"
import type { CompanyContext } from "../loads/CompanyContext.ts"
import type { NewWork, WorkName } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"
import { expirePaymentWork } from "./ExpirePaymentWork.ts"
import { sendPaymentWork } from "./SendPaymentWork.ts"
import { followingOf } from "./FollowingWork.ts"
import type { Times } from "./Times.ts"
import { instalmentWork } from "./InstalmentWork.ts"
import type { Change, Decided } from "./Decided.ts"

/**
 * @category conversions
 * @since 0.1.0
 */
export const scheduleOf = (
  {
    begun = [],
    cancel: gone = [],
    changes,
    events,
    schedule: also = [],
    settled = []
  }: Pick<Decided<unknown>, "begun" | "cancel" | "changes" | "events" | "schedule" | "settled">,
  context: {
    readonly company: CompanyContext
    readonly at: Times
    readonly owner: string
    readonly settings: SettingsShape
  }
): {
  readonly schedule: ReadonlyArray<NewWork>
  readonly cancel: ReadonlyArray<WorkName>
} => {
  const {
    at: { machine: at },
    company,
    owner,
    settings
  } = context
  const schedule: Array<NewWork> = [...also, ...followingOf(company.companyId, events, at)]
  const cancel: Array<WorkName> = [...gone]
  for (const change of changes) {
    for (const { before, next } of dueBetween(change, at, settings)) {
      if (next !== undefined) {
        if (before?.clock !== next.clock || before.dueAt !== next.dueAt || isInParts(change)) schedule.push(next)
      } else if (before !== undefined) cancel.push({ kind: before.kind, subject: before.subject })
    }
  }
  for (const attempt of begun) {
    // Leased by the process that makes it; when the lease ends, any process asks the provider about it.
    schedule.push({
      kind: "resolve attempt",
      companyId: attempt.companyId,
      subject: attempt.id,
      clock: "machine",
      // What is later than a time is one: to run its schema was a third of this function.
      dueAt: (at + Duration.toMillis(settings.attemptLease)) as MachineTime,
      waitsSince: at,
      leasedBy: owner
    })
  }
  for (const { id } of settled) cancel.push({ kind: "resolve attempt", subject: id })
  return { schedule, cancel }
}

interface WorkBetween {
  readonly before: NewWork | undefined
  readonly next: NewWork | undefined
}

/** The work of each kind that a state wants, before a change and after it. */
const dueBetween = (change: Change, at: MachineTime, { zone }: SettingsShape): ReadonlyArray<WorkBetween> => {
  switch (change.table) {
    case "transactions":
      return [
        between(change, (state) => sendPaymentWork(state, at, zone)),
        between(change, (state) => expirePaymentWork(state, zone))
      ]
    case "subscriptions":
      return [between(change, (state) => instalmentWork(state, at, zone))]
    default:
      return []
  }
}

const between = <S>(
  { before, next }: { readonly before?: S | undefined; readonly next: S },
  workOf: (state: S) => NewWork | undefined
): WorkBetween => ({ before: before === undefined ? undefined : workOf(before), next: workOf(next) })

/** A worker made a part of the instalments: the rest is due at once, as this part was. */
const isInParts = (change: Change): boolean =>
  change.table === "subscriptions" && change.before?.schedule?.made !== change.next.schedule?.made
