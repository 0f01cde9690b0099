/**
 * The order in which the job worker serves companies, so that no company starves.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CompanyClass, LeaseRequest } from "../ports/DueWork.ts"

/**
 * Maximum number of jobs of one company that run at the same time.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxPerCompany = 8

/** Maximum number of served companies per group. Each served company is a parameter of the next lease query. */
const maxGroupSize = 500

/** A group of companies, with those that were served in the current round. */
interface Group {
  readonly among: CompanyClass
  readonly served: Set<CompanyId>
}

const allCompanies = (): Group => ({ among: { of: 1, at: 0 }, served: new Set() })

/** Returns one half of a group, with the served companies of this half. */
const halfOf = ({ among: { of, at }, served }: Group, second: boolean): Group => {
  const among = { of: of * 2, at: second ? at + of : at }
  return { among, served: new Set([...served].filter((company) => company % among.of === among.at)) }
}

/**
 * Round robin over companies. A company that was served, or that has the maximum number of running jobs, waits for the
 * next round. A group with too many served companies is split, and its halves are served one after the other.
 *
 * @category models
 * @since 0.1.0
 */
export class CompanyRotation {
  running = 0
  private readonly inWork = new Map<CompanyId | undefined, number>()
  private group = allCompanies()
  private later: Array<Group> = []
  private hasServed = false

  begin(company: CompanyId | undefined): void {
    this.running += 1
    this.inWork.set(company, (this.inWork.get(company) ?? 0) + 1)
    if (company === undefined) return
    this.hasServed = true
    this.group.served.add(company)
    if (this.group.served.size < maxGroupSize) return
    this.later.push(halfOf(this.group, true))
    this.group = halfOf(this.group, false)
  }

  end(company: CompanyId | undefined): void {
    this.running -= 1
    const left = (this.inWork.get(company) ?? 1) - 1
    if (left === 0) this.inWork.delete(company)
    else this.inWork.set(company, left)
  }

  next(): Pick<LeaseRequest, "among" | "except"> {
    const full = [...this.inWork].flatMap(([company, count]) =>
      company !== undefined && count >= maxPerCompany ? [company] : []
    )
    const { among, served } = this.group
    return { among: among.of === 1 ? undefined : among, except: [...new Set([...served, ...full])] }
  }

  /** Moves to the next group or round. Returns false if the ended round served no company, so that no job is due. */
  nextGroup(): boolean {
    const next = this.later.pop()
    this.group = next ?? allCompanies()
    if (next !== undefined) return true
    const hadServed = this.hasServed
    this.hasServed = false
    return hadServed
  }
}
