/**
 * What the suites of due work begin with.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { DueWork, type LeasedWork, type NewWork } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import * as Effect from "effect/Effect"
import { keptCompany, minute } from "../StoreFixtures.ts"

/** A wait on the machine's clock. */
export const until = (since: number, at: number) =>
  ({ clock: "machine", dueAt: minute(at), waitsSince: minute(since) }) as const

export const subjects = (leased: ReadonlyArray<LeasedWork>) => leased.map(({ subject }) => subject)

export const kind = "send payment"

type MachineWork = Extract<NewWork, { readonly clock: "machine" }>

/** A company, and short ways to write its work and to lease. */
export const setUp = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const leases = yield* Leases
  const { id: companyId } = yield* keptCompany
  /** On that minute of the company's clock. */
  const work = (subject: string, at = 0, ofCompany: CompanyId = companyId): NewWork => ({
    kind,
    companyId: ofCompany,
    subject,
    clock: "business",
    dueAt: minute(at)
  })
  /** From that minute of the machine's clock on. */
  const wait = (subject: string, until: number, since = until, changes: Partial<MachineWork> = {}): NewWork => ({
    kind,
    companyId,
    subject,
    clock: "machine",
    dueAt: minute(until),
    waitsSince: minute(since),
    ...changes
  })
  const lease = (
    at: number,
    options: {
      readonly limit?: number
      readonly minutes?: number
      readonly owner?: string
      readonly perCompany?: number
      readonly except?: ReadonlyArray<CompanyId>
    } = {}
  ) => {
    const { except = [], limit = 100, minutes = 5, owner = "one", perCompany = 100 } = options
    const until = minute(at + minutes)
    return dueWork.lease({ kind, owner, now: minute(at), until, limit, perCompany, except })
  }
  return { companyId, dueWork, lease, leases, wait, work }
})
