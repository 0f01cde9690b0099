/** The journal of a company as single events, and what is waited for in it. */
import type { EventFilter, SandboxEvent, WaitOptions } from "../Events.ts"
import type { Controls } from "./controls.ts"
import { given } from "./given.ts"
import { allPages } from "./pages.ts"
import { arrivalsOf, awaited } from "./waiting.ts"

type Entry = Awaited<ReturnType<Controls["events"]["list"]>>["events"][number]

const eventsOf = ({ events, ...entry }: Entry): ReadonlyArray<SandboxEvent> =>
  events.map(({ _tag, ...data }) => ({ type: String(_tag), data, ...entry }))

export const eventsOfCompany = (controls: Controls, clientId: string) => {
  const page = async (after: string | undefined) => {
    const { events, next } = await controls.events.list(clientId, given({ after }))
    return { items: events.flatMap(eventsOf), next }
  }
  const events = async ({ after, type }: EventFilter = {}): Promise<ReadonlyArray<SandboxEvent>> => {
    const all = await allPages(after, page)
    return type === undefined ? all : all.filter((one) => one.type === type)
  }

  const arrivals = arrivalsOf<SandboxEvent>((one) => one.type)
  let place: string | undefined
  const nextEvent = (type: string, options: WaitOptions<SandboxEvent> = {}): Promise<SandboxEvent> => {
    const look = async () => {
      const known = arrivals.take(type, options)
      if (known !== undefined) return known
      const before = place
      const { items, next } = await page(before)
      // Another call may have read the same page meanwhile.
      if (place === before && next !== undefined) {
        arrivals.all.push(...items)
        place = next
      }
      return arrivals.take(type, options)
    }
    return awaited(
      look,
      options.timeout,
      (milliseconds) =>
        `No ${type}${options.where === undefined ? "" : " that fits"} within ${milliseconds} ms. What happened: ${arrivals.summary()}`
    )
  }
  /** What was read and not returned is of a state that is gone. Places in the journal stay good. */
  const forget = (): void => {
    arrivals.all.length = 0
  }
  return { events, nextEvent, forget }
}
