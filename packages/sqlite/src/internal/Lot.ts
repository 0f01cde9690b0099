/**
 * Units that share a commit.
 *
 * @since 0.1.0
 */
import { mostOfALot, mostWith, type WaitingUnit } from "./WaitingUnit.ts"

/** The units of a lot that were begun, and what ends each of them: first those that somebody waits for. */
export class Lot {
  readonly begun: number
  readonly units: Array<WaitingUnit> = []
  readonly ends: Array<() => void> = []
  /** How many of its units somebody waits for. */
  awaited = 0
  private most = mostOfALot

  /** `begun` in milliseconds, from any beginning. */
  constructor(begun: number) {
    this.begun = begun
  }

  hasRoomFor(unit: WaitingUnit): boolean {
    return this.units.length < Math.min(this.most, mostWith(unit))
  }

  /** Before it is run, as it may throw. */
  add(unit: WaitingUnit): void {
    this.units.push(unit)
    this.most = Math.min(this.most, mostWith(unit))
  }

  endsWith({ isBackground }: WaitingUnit, ended: () => void): void {
    if (isBackground) this.ends.push(ended)
    else this.ends.splice(this.awaited++, 0, ended)
  }
}
