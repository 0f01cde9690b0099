/** The nearest-rank percentile of ascending values; not a number when there are none. */
export const percentile = (ascending: ReadonlyArray<number>, percent: number): number =>
  ascending.length === 0 ? NaN : ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)]!
