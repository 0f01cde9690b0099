/** The journal of a company as single events, and waits for events. */
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
  let cursor: string | undefined
  const nextEvent = (type: string, options: WaitOptions<SandboxEvent> = {}): Promise<SandboxEvent> => {
    const read = async () => {
      const known = arrivals.take(type, options)
      if (known !== undefined) return known
      const before = cursor
      const { items, next } = await page(before)
      // Another call may have read the same page concurrently.
      if (cursor === before && next !== undefined) {
        arrivals.all.push(...items)
        cursor = next
      }
      return arrivals.take(type, options)
    }
    return awaited(
      read,
      options.timeout,
      (milliseconds) =>
        `No ${type}${options.where === undefined ? "" : " that fits"} within ${milliseconds} ms. What happened: ${arrivals.summary()}`
    )
  }
  /** Discards events that were read and not returned: their state is gone. The cursor remains valid. */
  const forget = (): void => {
    arrivals.all.length = 0
  }
  return { events, nextEvent, forget }
}
