/**
 * The first look at what is to be created with a card, before the vault is handed that.
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { RefusalOf } from "@parcela/core/errors/BillingRefusal"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MyId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import type { Times } from "../commands/Times.ts"
import { type Decided, nothingToWrite } from "../commands/WriteSet.ts"

/**
 * Refuses what is refused whatever its card is, and writes nothing: its value is the time that the card is judged at.
 *
 * @category decisions
 * @since 0.1.0
 */
export const mayBeNew =
  (entity: RefusalOf<"MyIdTaken">["entity"], myId: MyId) =>
  (
    { sameMyId }: { readonly sameMyId: object | undefined },
    { business }: Times
  ): Result.Result<Decided<BusinessTime>, RefusedBy<"MyIdTaken">> =>
    sameMyId === undefined
      ? Result.succeed(nothingToWrite(business))
      : Result.fail(refuse({ _tag: "MyIdTaken", entity, myId }))
