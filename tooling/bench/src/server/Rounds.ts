/** One operation, measured in rounds in which the contenders take turns. */
import { bare, type Contender, fastify, warmConnections } from "./Contenders.ts"
import { type Exchange, type Measured, run } from "./Load.ts"
import { bytesOf, type Operation, small, type Target } from "./Operations.ts"
import type { Plan } from "./Options.ts"
import type * as Receiver from "./Receiver.ts"
import { type Round, type Row, rowOf } from "./Report.ts"

/**
 * What each contender is given before an operation is measured for the first time: so long, and so many requests, but no longer than
 * the last. Code is compiled by how often it ran, so that the slow ones need longer than the fast ones: a read cost twice as much
 * in its first 2,000 requests.
 */
export const warmUp = { seconds: 1, requests: 3_000, mostSeconds: 4 }

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

const measure = async (
  contender: Contender,
  asked: Operation,
  load: Load,
  receiver: Receiver.Receiver
): Promise<Round> => {
  const operation = contender.own?.get(asked.name) ?? asked
  const target = await contender.target()
  const before = await contender.process.usage()
  const measured: Measured = await run({
    url: target.url,
    ...load,
    next: exchangeOf(operation, target, receiver)
  })
  const after = await contender.process.usage()
  if (measured.completed === 0) {
    throw new Error(`${contender.name}: no "${operation.name}" was completed: ${measured.firstFailure}`)
  }
  return { measured, cpuMicros: after.cpuMicros - before.cpuMicros, rssBytes: after.rssBytes }
}

const warm = async (contender: Contender, operation: Operation, plan: Plan, receiver: Receiver.Receiver) => {
  const connections = Math.min(plan.connections, warmConnections)
  const load = { connections, open: "before", seconds: warmUp.seconds } as const
  const { measured } = await measure(contender, operation, load, receiver)
  const missing = ((warmUp.requests - measured.completed) * measured.seconds) / measured.completed
  const seconds = Math.min(missing, warmUp.mostSeconds - warmUp.seconds)
  if (seconds > 0) await measure(contender, operation, { ...load, seconds }, receiver)
}

/** One operation: the contenders alternate, so that a slow moment of the machine meets them all. */
export const rounds = async (
  all: ReadonlyArray<Contender>,
  operation: Operation,
  plan: Plan,
  receiver: Receiver.Receiver,
  isWarm: boolean
): Promise<ReadonlyArray<Row>> => {
  const contenders = all.filter(
    ({ name, own }) => (plan.hasFastify || name !== fastify) && (own === undefined || own.has(operation.name))
  )
  const results = contenders.map(() => [] as Array<Round>)
  const floor = contenders.findIndex(({ name }) => name === bare)
  const smallRounds: Array<Round> = []
  if (!isWarm) for (const contender of contenders) await warm(contender, operation, plan, receiver)
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      results[index]!.push(await measure(contender, operation, plan, receiver))
    }
    smallRounds.push(await measure(contenders[floor]!, small, { ...plan, seconds: smallSeconds }, receiver))
  }
  return contenders.map(({ name }, index) =>
    rowOf(
      { operation: operation.name, connections: plan.connections, open: plan.open, server: name },
      results[index]!,
      { same: results[floor]!, small: smallRounds }
    )
  )
}
