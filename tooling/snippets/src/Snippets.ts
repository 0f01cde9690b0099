/** Finds the TypeScript fences of a Markdown text and turns each into a module whose lines keep their numbers. */

/** Its fences that are files are a program together, which `outside.ts` builds. */
export const guideOfFiles = "docs/how-to/write-an-adapter.md"

/** One fence: its module, and the line of the first line of its code. */
export interface Snippet {
  readonly line: number
  /** Compiles as a module; line n of it is line n of the Markdown file. */
  readonly module: string
  /** The file that it says it is, in a comment on its first line: a part of a program, which does not compile alone. */
  readonly file: string | undefined
}

/** A fence that cannot be checked. */
export interface Refused {
  readonly line: number
  readonly reason: string
}

/** Every fence marked `ts` or `typescript`, and those that are marked so but ask not to be checked or never end. */
export const snippetsIn = (markdown: string): { snippets: ReadonlyArray<Snippet>; refused: ReadonlyArray<Refused> } => {
  const snippets: Array<Snippet> = []
  const refused: Array<Refused> = []
  const lines = markdown.split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    const opening = /^(\s*)(`{3,}|~{3,})\s*(\S*)\s*(.*)$/.exec(lines[index] ?? "")
    if (opening === null) continue
    const [, indent = "", fence = "", language = "", rest = ""] = opening
    const start = index + 1
    const closing = new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`)
    while (++index < lines.length && !closing.test(lines[index] ?? "")) continue
    if (language !== "ts" && language !== "typescript") continue
    if (rest !== "") {
      refused.push({ line: start, reason: `a fence is marked \`ts\` and nothing else, not "${rest}"` })
    } else if (index >= lines.length) {
      refused.push({ line: start, reason: "this fence never ends" })
    } else {
      const code = lines.slice(start, index).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      const file = /^\/\/ ((?:src|test)\/\S+\.ts)$/.exec(code[0] ?? "")?.[1]
      snippets.push({ line: start + 1, module: `${"\n".repeat(start)}${code.join("\n")}\nexport {}\n`, file })
    }
  }
  return { snippets, refused }
}

/** The name of a snippet's module, from which `sourceOf` finds the way back. */
export const moduleName = (file: string, line: number): string => `${file.replaceAll("/", "~")}.L${line}.ts`

/** The compiler's messages about snippets, with their positions in Markdown. */
export const sourceOf = (compilerOutput: string): string =>
  compilerOutput.replaceAll(
    /^\S*\.generated\/(\S+)\.L\d+\.ts\((\d+),(\d+)\)/gm,
    (_, name: string, line, column) => `${name.replaceAll("~", "/")}:${line}:${column}`
  )
