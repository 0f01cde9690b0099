/**
 * What transactions of all methods have.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { AttemptKind } from "../attempts/Attempt.ts"
import { AttemptId } from "../attempts/AttemptId.ts"
import { Cents } from "../money/Cents.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { Text } from "../values/Text.ts"
import { TransactionOwner } from "../transactions/TransactionOwner.ts"

/**
 * @category fields
 * @since 0.1.0
 */
export const common = {
  id: SvcPayId,
  companyId: CompanyId,
  owner: TransactionOwner,
  myId: MyId,
  value: Cents,
  payday: LocalDate,
  additionalInfo: Schema.optionalKey(Text),
  installment: Schema.Int,
  statusAt: BusinessTime,
  createdAt: BusinessTime,
  updatedAt: BusinessTime
}

/**
 * The attempt that is under way and has no outcome yet, where it can be of these kinds.
 *
 * @category fields
 * @since 0.1.0
 */
export const underWay = <const Kinds extends ReadonlyArray<AttemptKind>>(kinds: Kinds) =>
  Schema.optionalKey(Schema.Struct({ attemptId: AttemptId, kind: Schema.Literals(kinds), value: Cents }))

/**
 * The statuses that end a payment of any method.
 *
 * @category fields
 * @since 0.1.0
 */
export const ended = Schema.Literals(["cancel", "cancelByContract", "payExternal", "free"])
