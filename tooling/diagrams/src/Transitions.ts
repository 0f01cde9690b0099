/** Transitions as arrows, and arrows as Mermaid. */

/** One way from a status to another, or back to itself. */
export interface Arrow {
  readonly from: string
  readonly cause: string
  readonly to: string
}

/** A transition table of either kind: one next status for a cause, or several. */
export type Table = Readonly<Record<string, Readonly<Record<string, string | ReadonlyArray<string>>>>>

/** Every arrow of a table, in its order. */
export const arrowsOf = (table: Table): ReadonlyArray<Arrow> =>
  Object.entries(table).flatMap(([from, causes]) =>
    Object.entries(causes).flatMap(([cause, next]) => [next].flat().map((to) => ({ from, cause, to })))
  )

/** The statuses that can come after `from`, and `from` itself. */
export const reachableFrom = (from: string, arrows: ReadonlyArray<Arrow>): ReadonlySet<string> => {
  const reached = new Set([from])
  // A set shows what is added to it while it is walked through.
  for (const status of reached) for (const arrow of arrows) if (arrow.from === status) reached.add(arrow.to)
  return reached
}

/** The first status of an entity, with the label of its arrow. */
export interface Opening {
  readonly to: string
  readonly label: string
}

/** A Mermaid state diagram; statuses that nothing leaves are led to its end. */
export const mermaid = (openings: ReadonlyArray<Opening>, arrows: ReadonlyArray<Arrow>): string => {
  const statuses = new Set([...openings.map(({ to }) => to), ...arrows.flatMap(({ from, to }) => [from, to])])
  const final = [...statuses].filter((status) => !arrows.some(({ from }) => from === status))
  return [
    "```mermaid",
    "stateDiagram-v2",
    ...openings.map(({ label, to }) => `  [*] --> ${to} : ${label}`),
    ...joined(arrows).map(({ cause, from, to }) => `  ${from} --> ${to} : ${cause}`),
    ...final.map((status) => `  ${status} --> [*]`),
    "```"
  ].join("\n")
}

/** Arrows between the same two statuses as one, with all their causes. */
const joined = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<Arrow> =>
  [...Map.groupBy(arrows, ({ from, to }) => `${from} ${to}`).values()].flatMap((same) =>
    same.slice(0, 1).map((arrow) => ({ ...arrow, cause: same.map(({ cause }) => cause).join(", ") }))
  )
