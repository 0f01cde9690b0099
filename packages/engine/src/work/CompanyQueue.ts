/**
 * Which company's due work is leased next when many have some, so that none starves.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CompanyClass, LeaseRequest } from "../ports/DueWork.ts"

/**
 * How many rows of one company are handled at once.
 *
 * @category constants
 * @since 0.1.0
 */
export const placesPerCompany = 8

/** How many companies take turns together: each that was served is named to the store at every lease. */
const companiesTogether = 500

/** Companies that take turns together, and those of them that had theirs in this round. */
interface Group {
  readonly among: CompanyClass
  readonly served: Set<CompanyId>
}

const allCompanies = (): Group => ({ among: { of: 1, at: 0 }, served: new Set() })

/** One half of a group, with those of it that were served. */
const halfOf = ({ among: { of, at }, served }: Group, second: boolean): Group => {
  const among = { of: of * 2, at: second ? at + of : at }
  return { among, served: new Set([...served].filter((company) => company % among.of === among.at)) }
}

/**
 * A company that was served, or has all its places taken, waits for the next round. A group in which too many were served
 * is halved, and the halves take turns one after the other, so that a round comes to every company.
 *
 * @category models
 * @since 0.1.0
 */
export class CompanyTurns {
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
    if (this.group.served.size < companiesTogether) return
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
      company !== undefined && count >= placesPerCompany ? [company] : []
    )
    const { among, served } = this.group
    return { among: among.of === 1 ? undefined : among, except: [...new Set([...served, ...full])] }
  }

  /** Goes on to the next group or round; false when the round had served no company, so that another would not either. */
  goOn(): boolean {
    const next = this.later.pop()
    this.group = next ?? allCompanies()
    if (next !== undefined) return true
    const hadServed = this.hasServed
    this.hasServed = false
    return hadServed
  }
}
