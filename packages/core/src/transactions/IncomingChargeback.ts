/**
 * Disputes of card payments as card operators report them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * One dispute, as its operator reported it: the holder's bank takes the money back.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingChargeback = Schema.Struct({
  method: Schema.Literal("creditcard"),
  /** The operator's own name of the dispute: the same name again is the same dispute. */
  id: nonEmptyString(255),
  /** What the operator calls the charge. */
  reference: Schema.Struct({ kind: Schema.Literal("tid"), value: nonEmptyString(255) }),
  /** Whose charge it is, where the operator has an account for each company. References of other companies are not looked at. */
  companyId: Schema.optionalKey(CompanyId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingChargeback = typeof IncomingChargeback.Type
