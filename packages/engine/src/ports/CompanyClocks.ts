/**
 * Port: how far each company's clock is ahead of the machine's.
 *
 * @since 0.1.0
 */
import type { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class CompanyClocks extends Context.Service<
  CompanyClocks,
  {
    /** None when there is no such company. */
    readonly offset: (companyId: CompanyId) => Effect.Effect<Option.Option<ClockOffset>, StoreError>
    /**
     * Puts a clock ahead, and returns its offset then. One that is further ahead already stays: business time never
     * goes back.
     */
    readonly advance: (
      companyId: CompanyId,
      offset: ClockOffset
    ) => Effect.Effect<Option.Option<ClockOffset>, StoreError>
  }
>()("@parcela/engine/ports/CompanyClocks") {}
