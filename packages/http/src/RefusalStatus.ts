/**
 * The HTTP status of each refusal (interface section 7).
 *
 * @since 0.1.0
 */
import type { RefusalTag } from "@parcela/core/errors/BillingRefusal"

/**
 * 404 if the entity that the path or the body names does not exist; every other refusal is a 400.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusalStatus = {
  SubscriptionNotFound: 404,
  ChargeNotFound: 404,
  TransactionNotFound: 404,
  CustomerNotFound: 404,
  CustomerUnknown: 404,
  CustomerHasOtherMyId: 400,
  CustomerIncomplete: 400,
  AddressIncomplete: 400,
  CustomersDiffer: 400,
  DocumentTaken: 400,
  PlanNotFound: 404,
  PlanInactive: 400,
  PlanWithoutPrice: 400,
  ScheduleIncomplete: 400,
  PaymentIncomplete: 400,
  ScheduleMissing: 400,
  CardNotFound: 400,
  CardUnknown: 404,
  CardInUse: 400,
  CardMissing: 400,
  InstallmentsTooMany: 400,
  CardExpired: 400,
  CardBrandUnknown: 400,
  MyIdTaken: 400,
  SubscriptionNotOpen: 400,
  SubscriptionCannot: 400,
  WebhookUrlNotAllowed: 400,
  ChargeMethodFixed: 400,
  ChargeCannot: 400,
  // Public clients read a 404 of a cancellation as "already cancelled".
  SubscriptionOver: 404,
  CancelledBefore: 404,
  QuantityLeft: 400,
  QuantityTooHigh: 400,
  InstalmentBeyond: 400,
  InstalmentPast: 400,
  PaydayPast: 400,
  ValueTooHigh: 400,
  NotRetriable: 400,
  NotEditable: 400,
  NotByCard: 400,
  PaydayDateNotToday: 400,
  RetryTooEarly: 400,
  RetryNever: 400,
  AttemptUnderWay: 400,
  AttemptUnknown: 400,
  DeniedByProvider: 400,
  NotRegistered: 400,
  TransactionCannot: 400,
  ReversalOutOfRange: 400,
  AuthorizedInPart: 400,
  PixValueDiffers: 400,
  SettlementDiffers: 400,
  NotExpiredYet: 400
} as const satisfies { readonly [Tag in RefusalTag]: 400 | 404 }

/**
 * The refusals with status 400.
 *
 * @category models
 * @since 0.1.0
 */
export type BadRequestTag = {
  readonly [Tag in RefusalTag]: (typeof refusalStatus)[Tag] extends 400 ? Tag : never
}[RefusalTag]
