/** Parts of a page. */

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `|${cells.join("|")}|`).join("\n")

export const code = (word: string): string => `\`${word}\``
