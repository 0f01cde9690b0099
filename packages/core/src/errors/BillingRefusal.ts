/**
 * Every reason for which a command is refused, with its data.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AttemptProvider } from "../attempts/Attempt.ts"
import { CardExpiry } from "../cards/Card.ts"
import { addressFields } from "../customers/CustomerInput.ts"
import { ChargeStatus } from "../charges/ChargeState.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { Cents } from "../money/Cents.ts"
import { MyId, SvcPayId, TypeId } from "../values/Identifier.ts"
import { LocalDate, LocalDateTime } from "../time/LocalDate.ts"
import { SubscriptionStatus } from "../subscriptions/SubscriptionState.ts"
import { Text } from "../values/Text.ts"
import { TransactionCause, TransactionStatus } from "../transactions/TransactionStatus.ts"

/** The entity that the path of the request names. */
const RequestedEntity = Schema.Literals(["Charge", "Transaction"])

/**
 * All refusals with their data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BillingRefusal = Schema.TaggedUnion({
  SubscriptionNotFound: { typeId: TypeId },
  ChargeNotFound: { typeId: TypeId },
  TransactionNotFound: { typeId: TypeId },
  CustomerNotFound: { by: Schema.NonEmptyArray(Schema.Literals(["svcPayId", "myId", "document"])) },
  CustomerUnknown: { typeId: TypeId },
  CustomerHasOtherMyId: { myId: MyId },
  CustomerIncomplete: { missing: Schema.Array(Schema.Literals(["name", "document", "emails"])) },
  AddressIncomplete: { missing: Schema.Array(Schema.Literals(addressFields)) },
  CustomersDiffer: { by: Schema.NonEmptyArray(Schema.Literals(["svcPayId", "myId", "document"])) },
  DocumentTaken: { svcPayId: SvcPayId },
  PlanNotFound: { typeId: TypeId },
  PlanInactive: {},
  PlanWithoutPrice: { method: PaymentMethodId },
  ScheduleIncomplete: { missing: Schema.Array(Schema.Literals(["value", "quantity", "periodicity"])) },
  ScheduleMissing: {},
  PaymentIncomplete: { missing: Schema.Array(Schema.Literals(["value", "payday"])) },
  CardNotFound: {},
  CardUnknown: { typeId: TypeId },
  CardInUse: {},
  CardMissing: {},
  InstallmentsTooMany: { brand: Text, maximum: Schema.Int },
  CardExpired: { expiresAt: CardExpiry },
  CardBrandUnknown: {},
  MyIdTaken: {
    entity: Schema.Literals(["Subscription", "Charge", "Customer", "Transaction", "Card", "Plan"]),
    myId: MyId
  },
  SubscriptionNotOpen: { status: SubscriptionStatus },
  SubscriptionCannot: { cause: Text, status: SubscriptionStatus },
  WebhookUrlNotAllowed: {},
  ChargeWithoutCard: {},
  ChargeCannot: { cause: Text, status: ChargeStatus },
  SubscriptionOver: { status: SubscriptionStatus },
  QuantityLeft: { payments: Schema.Int, quantity: Schema.optionalKey(Schema.Int) },
  QuantityTooHigh: { maximum: Schema.Int },
  InstalmentBeyond: { installment: Schema.Int, quantity: Schema.Int },
  InstalmentPast: { installment: Schema.Int, payday: LocalDate, today: LocalDate },
  PaydayPast: { payday: LocalDate, today: LocalDate },
  ValueTooHigh: { maximum: Schema.Int },
  NotRetriable: { status: TransactionStatus },
  NotEditable: { status: TransactionStatus },
  NotByCard: {},
  PaydayDateNotToday: { today: LocalDate },
  RetryTooEarly: { notBefore: LocalDateTime, reason: Text },
  RetryNever: { reason: Text },
  AttemptPending: {},
  AttemptUnknown: {},
  DeniedByProvider: { provider: AttemptProvider, code: Text, message: Text },
  NotRegistered: {},
  TransactionCannot: { cause: TransactionCause, status: TransactionStatus },
  CancelledBefore: { entity: RequestedEntity },
  ReversalOutOfRange: { entity: RequestedEntity, left: Cents },
  AuthorizedInPart: { entity: RequestedEntity },
  PixValueDiffers: { due: Cents, paid: Cents },
  SettlementDiffers: { recorded: Cents, reported: Cents },
  NotExpiredYet: { until: LocalDateTime }
})

/**
 * @category models
 * @since 0.1.0
 */
export type BillingRefusal = typeof BillingRefusal.Type

/**
 * @category models
 * @since 0.1.0
 */
export type RefusalTag = BillingRefusal["_tag"]

/**
 * The refusals with the tags `T`.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalOf<T extends RefusalTag> = Extract<BillingRefusal, { readonly _tag: T }>
