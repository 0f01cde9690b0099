/**
 * What a subscription with a schedule does by itself: its instalments are made, and it is closed after the last one.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { type PlanState, type FoundPlans, planOf, priceOf } from "../plans/PlanDecider.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { add, type AddRefusal, highestBoletoValue } from "../transactions/TransactionDecider.ts"
import type { TransactionState } from "../transactions/TransactionState.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { MyId, SvcPayId } from "../values/Identifier.ts"
import type { CreateSubscription } from "./Subscription.ts"
import {
  mostInstalments,
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

/** What is billed: what the command says, and what it leaves to its plan. */
const scheduleOf = (
  { firstPayDayDate, mainPaymentMethodId: method, Transactions: changes = [], ...command }: CreateSubscription,
  plan: PlanState | undefined
): Result.Result<SubscriptionSchedule, RefusedBy<"PlanWithoutPrice" | "ScheduleIncomplete">> => {
  const value = command.value ?? (plan === undefined ? undefined : priceOf(plan, method))
  const quantity = command.quantity ?? plan?.quantity
  const periodicity = command.periodicity ?? plan?.periodicity
  if (value === undefined || quantity === undefined || periodicity === undefined) {
    const given = { value, quantity, periodicity }
    const missing = (["value", "quantity", "periodicity"] as const).filter((field) => given[field] === undefined)
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

type ScheduleFault = "InstalmentBeyond" | "InstalmentPast" | "MyIdTaken" | "QuantityTooHigh" | "ValueTooHigh"

/** All that is wrong with a schedule, beyond what each field says by itself. */
const faultsOf = (
  { mainPaymentMethodId }: CreateSubscription,
  schedule: SubscriptionSchedule,
  { takenMyIds, today }: { readonly takenMyIds: ReadonlySet<MyId>; readonly today: LocalDate }
): ReadonlyArray<RefusalOf<ScheduleFault>> => {
  const { changes = [], firstPayDay, periodicity, quantity = 0, value } = schedule
  const most = mostInstalments(firstPayDay, periodicity)
  const beyond = quantity === 0 ? undefined : changes.find(({ installment }) => installment > quantity)
  const overdue = firstOverdue(schedule, today)
  const values = [value, ...changes.map((change) => change.value ?? value)]
  const wanted = changes.flatMap(({ myId }) => myId ?? [])
  const taken = wanted.find((myId, place) => takenMyIds.has(myId) || wanted.indexOf(myId) < place)
  const faults: ReadonlyArray<RefusalOf<ScheduleFault> | false> = [
    quantity > most && { _tag: "QuantityTooHigh", maximum: most },
    beyond !== undefined && { _tag: "InstalmentBeyond", installment: beyond.installment, quantity },
    overdue !== undefined && {
      _tag: "InstalmentPast",
      installment: overdue,
      payday: instalmentOf(schedule, overdue).payday,
      today
    },
    taken !== undefined && { _tag: "MyIdTaken", entity: "Transaction", myId: taken },
    mainPaymentMethodId === "boleto" &&
      values.some((each) => each > highestBoletoValue) && { _tag: "ValueTooHigh", maximum: highestBoletoValue }
  ]
  return faults.filter((fault) => fault !== false)
}

/**
 * Creates a subscription that makes its instalments by itself. It has none yet: see {@link makeInstalments}.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createPeriodic = (
  command: CreateSubscription,
  context: NewSubscription & {
    readonly today: LocalDate
    /** Of the identifiers that the command gives to instalments, those that other transactions have. */
    readonly takenMyIds: ReadonlySet<MyId>
    readonly plans: FoundPlans
  }
): Decided<
  SubscriptionState,
  ScheduleFault | "PlanInactive" | "PlanNotFound" | "PlanWithoutPrice" | "ScheduleIncomplete"
> =>
  Result.gen(function* () {
    const plan = yield* planOf(command, context.plans)
    const schedule = yield* scheduleOf(command, plan)
    const faults = faultsOf(command, schedule, context)
    return Arr.isReadonlyArrayNonEmpty(faults)
      ? yield* Result.fail(refuse(faults[0], ...faults.slice(1)))
      : yield* createWith(command, context, { schedule, ...planned(plan) })
  })

/**
 * Under another plan, if one is named: nothing is left of the earlier one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const underPlan = <S extends Pick<SubscriptionState, "planId" | "planMyId">>(
  state: S,
  plan: PlanState | undefined
): S => {
  if (plan === undefined) return state
  const { planMyId: _, ...nameless } = state
  // What is left out is optional.
  return { ...(plan.myId === undefined ? nameless : state), ...planned(plan) } as S
}

/**
 * What a subscription keeps of its plan.
 *
 * @category conversions
 * @since 0.1.0
 */
export const planned = (plan: PlanState | undefined): Pick<SubscriptionState, "planId" | "planMyId"> =>
  plan === undefined ? {} : { planId: plan.id, ...(plan.myId === undefined ? {} : { planMyId: plan.myId }) }

/**
 * What an instalment gets when it is made: its identifier, and its `myId` where none was asked for.
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
 * Makes the instalments that are to be made on a day, at most as many as there are identifiers. None while the
 * subscription is stopped, or is over; those of one that waits for its card wait with it.
 *
 * **Details**
 *
 * A boleto or a Pix whose day went by while nobody could make it is due on the day on which it is made. A `myId` that was
 * asked for and that another transaction got meanwhile is not given.
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
  for (const [place, number] of numbers.entries()) {
    const name = ids[place]
    if (name === undefined || next.schedule === undefined) break
    const { installment: _, myId, payday, ...asked } = { installment: number, ...instalmentOf(next.schedule, number) }
    const isLate = payday < today && state.mainPaymentMethodId !== "creditcard" && asked.payedOutsideSvcPay !== true
    const command = {
      ...asked,
      myId: myId === undefined || takenMyIds.has(myId) ? name.myId : myId,
      payday: isLate ? today : payday
    }
    const added = add(next, command, { id: name.id, sameMyId: undefined, today, now, mayWait })
    if (Result.isFailure(added)) return Result.fail(added.failure)
    made.push(added.success.next)
    events.push(...added.success.events)
    next = { ...countPayment(next, now), schedule: madeUpTo(next.schedule, number) }
  }
  return Result.succeed({ next, made, events })
}

/**
 * Takes the step that is due: makes instalments, or closes the subscription once its last one has fallen due. Nothing
 * when none is due.
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
