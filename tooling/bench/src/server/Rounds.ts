/** One operation, measured in rounds in which the contenders take turns. */
import { bare, type Contender, fastify, warmConnections } from "./Contenders.ts"
import { type Exchange, type Measured, run } from "./Load.ts"
import { hasSettled, settle, warmUp } from "./Settling.ts"
import { bytesOf, type Operation, small, type Target } from "./Operations.ts"
import type { Plan } from "./Options.ts"
import type * as Receiver from "./Receiver.ts"
import { type Round, type Row, rowOf, type WarmUp } from "./Report.ts"

/** Of the small floor, in each round: some thousand requests. */
const smallSeconds = 0.3

let sequence = 0
/** Never given twice, so that nothing is refused as a duplicate. */
const unique = () => `${process.pid}-${(sequence += 1)}`

const exchangeOf =
  (operation: Operation, target: Target, receiver: Receiver.Receiver) =>
  (connection: number): Exchange => {
    const request = operation.request(unique(), connection)
    const sent = { request: bytesOf(operation, operation.authorization(target), request) }
    if (operation.delivered !== true) return sent
    return { ...sent, until: receiver.arrival((request.body as { readonly myId: string }).myId) }
  }

type Load = Pick<Plan, "connections" | "open" | "seconds">

export const measure = async (
  contender: Contender,
  asked: Operation,
  load: Load,
  receiver: Receiver.Receiver
): Promise<Round> => {
  const operation = contender.own?.get(asked.name) ?? asked
  const target = await contender.target()
  const before = await contender.usage()
  const measured: Measured = await run({
    url: target.url,
    ...load,
    next: exchangeOf(operation, target, receiver)
  })
  const after = await contender.usage()
  if (measured.completed === 0) {
    throw new Error(`${contender.name}: no "${operation.name}" was completed: ${measured.firstFailure}`)
  }
  return { measured, cpuMicros: after.cpuMicros - before.cpuMicros, rssBytes: after.rssBytes }
}

/** What each server was warmed up with before it was measured with an operation for the first time. */
export type Warmed = Map<string, WarmUp>

const warm = async (
  contender: Contender,
  operation: Operation,
  { connections, open }: Plan,
  receiver: Receiver.Receiver,
  warmed: Warmed
): Promise<WarmUp> => {
  const key = `${contender.name}, ${operation.name}`
  const before = warmed.get(key)
  if (before !== undefined) return before
  const started = performance.now()
  const slices = await settle(async (seconds) => {
    const load = { connections: Math.min(connections, warmConnections), open, seconds }
    const { cpuMicros, measured } = await measure(contender, operation, load, receiver)
    return { cpuMicros, requests: measured.completed }
  })
  const own = {
    requests: slices.reduce((sum, { requests }) => sum + requests, 0),
    seconds: (performance.now() - started) / 1_000,
    isSettled: hasSettled(slices, warmUp)
  }
  warmed.set(key, own)
  return own
}

const takesPart =
  (operation: Operation, { hasFastify, stores }: Plan) =>
  ({ name, own, store }: Contender) =>
    (hasFastify || name !== fastify) &&
    (own === undefined || own.has(operation.name)) &&
    (store === undefined || stores.includes(store))

/** A floor does the same for both. */
const isCompared = (
  { store }: Contender,
  operation: Operation
): operation is Operation & Required<Pick<Operation, "without">> =>
  store !== undefined && operation.without !== undefined

/** One operation: the contenders alternate, so that a slow moment of the machine meets them all. */
export const rounds = async (
  all: ReadonlyArray<Contender>,
  operation: Operation,
  plan: Plan,
  receiver: Receiver.Receiver,
  warmed: Warmed
): Promise<ReadonlyArray<Row>> => {
  const contenders = all.filter(takesPart(operation, plan))
  const results = contenders.map(() => [] as Array<Round>)
  const withouts = contenders.map(() => [] as Array<Round>)
  const floor = contenders.findIndex(({ name }) => name === bare)
  const smallRounds: Array<Round> = []
  const warmUps: Array<WarmUp> = []
  for (const contender of contenders) {
    warmUps.push(await warm(contender, operation, plan, receiver, warmed))
    if (isCompared(contender, operation)) await warm(contender, operation.without, plan, receiver, warmed)
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    const hasFloors = round < (plan.floorRounds ?? plan.rounds)
    for (const [index, contender] of contenders.entries()) {
      if (contender.store === undefined && !hasFloors) continue
      const without = async () => {
        if (!isCompared(contender, operation)) return
        withouts[index]!.push(await measure(contender, operation.without, plan, receiver))
      }
      // Either is the first one in half of the rounds.
      if (round % 2 === 0) await without()
      results[index]!.push(await measure(contender, operation, plan, receiver))
      if (round % 2 === 1) await without()
    }
    if (!hasFloors) continue
    smallRounds.push(await measure(contenders[floor]!, small, { ...plan, seconds: smallSeconds }, receiver))
  }
  return contenders.map(({ name }, index) =>
    rowOf(
      {
        operation: operation.name,
        connections: plan.connections,
        open: plan.open,
        server: name,
        warmUp: warmUps[index]!
      },
      results[index]!,
      { same: results[floor]!, small: smallRounds },
      withouts[index]!
    )
  )
}
