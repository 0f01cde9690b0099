/** The TypeScript examples of a Markdown text. Whether they compile is checked elsewhere. */
export const examplesIn = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
