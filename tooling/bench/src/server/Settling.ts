/** When a server counts as warm: by what its own requests cost, slice after slice. */

/** What some seconds of load cost. */
export interface Slice {
  readonly requests: number
  readonly cpuMicros: number
}

/** One rule for all that are measured: the servers over both stores, and the floors. */
export const warmUp = {
  sliceSeconds: 0.5,
  /** So many slices in a row that cost no less than the least before them: nothing is compiled any more that would matter. */
  slices: 6,
  /** A slice costs less when it costs less than this of the least before it; what lies between is noise. */
  least: 0.97,
  /** What has not settled by then is measured as it is. */
  mostRequests: 20_000,
  mostSeconds: 10
}

export type WarmUp = typeof warmUp

const costOf = ({ cpuMicros, requests }: Slice) => cpuMicros / requests

/** Whether the costs have stopped falling. */
export const hasSettled = (slices: ReadonlyArray<Slice>, { least, slices: needed }: WarmUp): boolean => {
  let smallest = Infinity
  let since = 0
  for (const slice of slices) {
    const cost = costOf(slice)
    if (cost < least * smallest) since = 0
    else since += 1
    smallest = Math.min(smallest, cost)
  }
  return since >= needed
}

/** Asks for slices until they have settled, or there were enough of them. */
export const settle = async (
  slice: (seconds: number) => Promise<Slice>,
  rule: WarmUp = warmUp
): Promise<ReadonlyArray<Slice>> => {
  const slices: Array<Slice> = []
  let requests = 0
  while (requests < rule.mostRequests && slices.length * rule.sliceSeconds < rule.mostSeconds) {
    const one = await slice(rule.sliceSeconds)
    slices.push(one)
    requests += one.requests
    if (hasSettled(slices, rule)) break
  }
  return slices
}
