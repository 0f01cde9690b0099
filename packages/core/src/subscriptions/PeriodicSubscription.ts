/**
 * Periodic subscriptions: their instalments are created automatically, and they are closed after the last one.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { type PlanState, type LoadedPlans, planOf, priceOf } from "../plans/PlanDecider.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { add, type AddRefusal, maxBoletoValue } from "../transactions/TransactionDecider.ts"
import type { TransactionState } from "../transactions/TransactionState.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { MyId, SvcPayId } from "../values/Identifier.ts"
import type { CreateSubscription } from "./Subscription.ts"
import {
  maxInstalments,
  firstOverdue,
  instalmentOf,
  isUsedUp,
  madeUpTo,
  type SubscriptionSchedule,
  toBeMade
} from "./SubscriptionSchedule.ts"
import {
  close,
  type CloseRefusal,
  countPayment,
  createWith,
  type NewSubscription,
  subscriptionDue
} from "./SubscriptionDecider.ts"
import type { SubscriptionState } from "./SubscriptionState.ts"

/** The schedule of a request. Absent values are taken from its plan. */
const scheduleOf = (
  { firstPayDayDate, mainPaymentMethodId: method, Transactions: changes = [], ...command }: CreateSubscription,
  plan: PlanState | undefined
): Result.Result<SubscriptionSchedule, RefusedBy<"PlanWithoutPrice" | "ScheduleIncomplete">> => {
  const value = command.value ?? (plan === undefined ? undefined : priceOf(plan, method))
  const quantity = command.quantity ?? plan?.quantity
  const periodicity = command.periodicity ?? plan?.periodicity
  if (value === undefined || quantity === undefined || periodicity === undefined) {
    const values = { value, quantity, periodicity }
    const missing = (["value", "quantity", "periodicity"] as const).filter((field) => values[field] === undefined)
    return Result.fail(
      refuse(plan === undefined ? { _tag: "ScheduleIncomplete", missing } : { _tag: "PlanWithoutPrice", method })
    )
  }
  return Result.succeed({
    value,
    periodicity,
    firstPayDay: firstPayDayDate,
    ...(quantity === 0 ? {} : { quantity }),
    made: 0,
    ...(changes.length === 0 ? {} : { changes })
  })
}

type ScheduleRefusal = "InstalmentBeyond" | "InstalmentPast" | "MyIdTaken" | "QuantityTooHigh" | "ValueTooHigh"

/** All problems of a schedule that concern several fields or stored entities. */
const problemsOf = (
  { mainPaymentMethodId }: CreateSubscription,
  schedule: SubscriptionSchedule,
  { takenMyIds, today }: { readonly takenMyIds: ReadonlySet<MyId>; readonly today: LocalDate }
): ReadonlyArray<RefusalOf<ScheduleRefusal>> => {
  const { changes = [], firstPayDay, periodicity, quantity = 0, value } = schedule
  const maximum = maxInstalments(firstPayDay, periodicity)
  const beyond = quantity === 0 ? undefined : changes.find(({ installment }) => installment > quantity)
  const overdue = firstOverdue(schedule, today)
  const values = [value, ...changes.map((change) => change.value ?? value)]
  const requestedMyIds = changes.flatMap(({ myId }) => myId ?? [])
  const taken = requestedMyIds.find((myId, index) => takenMyIds.has(myId) || requestedMyIds.indexOf(myId) < index)
  const problems: ReadonlyArray<RefusalOf<ScheduleRefusal> | false> = [
    quantity > maximum && { _tag: "QuantityTooHigh", maximum },
    beyond !== undefined && { _tag: "InstalmentBeyond", installment: beyond.installment, quantity },
    overdue !== undefined && {
      _tag: "InstalmentPast",
      installment: overdue,
      payday: instalmentOf(schedule, overdue).payday,
      today
    },
    taken !== undefined && { _tag: "MyIdTaken", entity: "Transaction", myId: taken },
    mainPaymentMethodId === "boleto" &&
      values.some((value) => value > maxBoletoValue) && { _tag: "ValueTooHigh", maximum: maxBoletoValue }
  ]
  return problems.filter((problem) => problem !== false)
}

/**
 * Creates a periodic subscription without instalments; {@link makeInstalments} creates them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createPeriodic = (
  command: CreateSubscription,
  context: NewSubscription & {
    readonly today: LocalDate
    /** Those `myId`s of the command's instalments that other transactions have. */
    readonly takenMyIds: ReadonlySet<MyId>
    readonly plans: LoadedPlans
  }
): Decided<
  SubscriptionState,
  ScheduleRefusal | "PlanInactive" | "PlanNotFound" | "PlanWithoutPrice" | "ScheduleIncomplete"
> =>
  Result.gen(function* () {
    const plan = yield* planOf(command, context.plans)
    const schedule = yield* scheduleOf(command, plan)
    const problems = problemsOf(command, schedule, context)
    return Arr.isReadonlyArrayNonEmpty(problems)
      ? yield* Result.fail(refuse(problems[0], ...problems.slice(1)))
      : yield* createWith(command, context, { schedule, ...planned(plan) })
  })

/**
 * Replaces the plan of a subscription or charge, if a plan is given.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withPlan = <S extends Pick<SubscriptionState, "planId" | "planMyId">>(
  state: S,
  plan: PlanState | undefined
): S => {
  if (plan === undefined) return state
  const { planMyId: _, ...nameless } = state
  // The removed field is optional.
  return { ...(plan.myId === undefined ? nameless : state), ...planned(plan) } as S
}

/**
 * The stored reference to a plan.
 *
 * @category conversions
 * @since 0.1.0
 */
export const planned = (plan: PlanState | undefined): Pick<SubscriptionState, "planId" | "planMyId"> =>
  plan === undefined ? {} : { planId: plan.id, ...(plan.myId === undefined ? {} : { planMyId: plan.myId }) }

/**
 * Identifiers of a new instalment. `myId` is used if the request gave none.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewInstalment {
  readonly id: SvcPayId
  readonly myId: MyId
}

/**
 * @category models
 * @since 0.1.0
 */
export interface MadeInstalments extends Decision<SubscriptionState> {
  readonly made: ReadonlyArray<TransactionState>
}

/**
 * Creates the instalments for a day, at most one per element of `ids`. Only an active subscription, or one that waits
 * for its card, gets instalments.
 *
 * **Details**
 *
 * A boleto or a Pix whose due date has passed is due on the day on which it is created. A requested `myId` that another
 * transaction uses is replaced by a generated one.
 *
 * @category decisions
 * @since 0.1.0
 */
export const makeInstalments = (
  state: SubscriptionState,
  context: {
    readonly ids: ReadonlyArray<NewInstalment>
    readonly takenMyIds: ReadonlySet<MyId>
    readonly today: LocalDate
    readonly now: BusinessTime
  }
): Result.Result<MadeInstalments, RefusedBy<AddRefusal>> => {
  const { ids, now, takenMyIds, today } = context
  const { schedule, status } = state
  const mayWait = status === "waitingPayment"
  const isBilled = status === "active" || mayWait
  const numbers = schedule === undefined || !isBilled ? [] : toBeMade(schedule, today, ids.length)
  const made: Array<TransactionState> = []
  const events: Array<MadeInstalments["events"][number]> = []
  let next = state
  for (const [index, number] of numbers.entries()) {
    const identifiers = ids[index]
    if (identifiers === undefined || next.schedule === undefined) break
    const {
      installment: _,
      myId,
      payday,
      ...requested
    } = { installment: number, ...instalmentOf(next.schedule, number) }
    const isLate = payday < today && state.mainPaymentMethodId !== "creditcard" && requested.payedOutsideSvcPay !== true
    const command = {
      ...requested,
      myId: myId === undefined || takenMyIds.has(myId) ? identifiers.myId : myId,
      payday: isLate ? today : payday
    }
    const added = add(next, command, { id: identifiers.id, sameMyId: undefined, today, now, mayWait })
    if (Result.isFailure(added)) return Result.fail(added.failure)
    made.push(added.success.next)
    events.push(...added.success.events)
    next = { ...countPayment(next, now), schedule: madeUpTo(next.schedule, number) }
  }
  return Result.succeed({ next, made, events })
}

/**
 * Runs the due step: creates instalments, or closes the subscription after its last instalment has fallen due. Without
 * a due step nothing changes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const step = (
  state: SubscriptionState,
  context: Parameters<typeof makeInstalments>[1]
): Result.Result<MadeInstalments, RefusedBy<AddRefusal | CloseRefusal>> => {
  const due = subscriptionDue(state)
  const isDue = due._tag === "AtOnce" || (due._tag === "OnDay" && due.day <= context.today)
  if (!isDue) return Result.succeed({ next: state, made: [], events: [] })
  return state.schedule !== undefined && isUsedUp(state.schedule)
    ? Result.map(close(state, context.now), (closed) => ({ ...closed, made: [] }))
    : makeInstalments(state, context)
}
