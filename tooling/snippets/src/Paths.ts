/** Finds the paths that a Markdown text names, and says which of them lead nowhere. */
import { dirname, join, normalize } from "node:path"

/** The repository as a text may name it. */
export interface Repository {
  /** Tracked files and folders, from the root, without a trailing slash. */
  readonly paths: ReadonlySet<string>
  /** The headings of a Markdown file, as the fragments of links to them. */
  readonly fragmentsOf: (file: string) => ReadonlySet<string>
}

/** A path that leads nowhere. */
export interface Missing {
  readonly line: number
  readonly path: string
}

/** The fragments of links to the headings of a Markdown text, as GitHub makes them. */
export const fragmentsIn = (markdown: string): ReadonlySet<string> => {
  const fragments = new Set<string>()
  for (const { text } of proseOf(markdown)) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*$/.exec(text) ?? []
    if (heading === undefined) continue
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    fragments.add(words.replaceAll(" ", "-"))
  }
  return fragments
}

/** All links to files, and all code in the form of a path or of a TypeScript file, of a Markdown file of the repository. */
export const missingPaths = (file: string, markdown: string, repository: Repository): ReadonlyArray<Missing> => {
  const missing: Array<Missing> = []
  for (const { line, text } of proseOf(markdown)) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g))
      if (!leadsSomewhere(file, target, repository)) missing.push({ line, path: target })
    for (const [, code = ""] of text.matchAll(/`([^`]+)`/g))
      if (!isThere(file, code, repository.paths)) missing.push({ line, path: code })
  }
  return missing
}

const leadsSomewhere = (file: string, target: string, { fragmentsOf, paths }: Repository): boolean => {
  if (/^[a-z]+:/i.test(target)) return true
  const [path = "", fragment] = target.split("#")
  const to = path === "" ? file : normalize(join(dirname(file), path)).replace(/\/$/, "")
  if (!paths.has(to)) return false
  return fragment === undefined || !to.endsWith(".md") || fragmentsOf(to).has(fragment)
}

/** Folders of the root that hold what is written by hand. */
const folders = /^(?:packages|apps|docs|tooling|examples)\//

const isThere = (file: string, code: string, paths: ReadonlySet<string>): boolean => {
  // A pattern, a placeholder or a call names no single file, and build output is not tracked.
  if (!/^[\w@./-]+$/.test(code) || code.includes("/dist/")) return true
  const path = code.replace(/^@parcela\//, "").replace(/\/$/, "")
  if (folders.test(path)) return paths.has(path)
  const [, name = "", rest = ""] = /^([\w-]+)\/([\w./-]+)$/.exec(path) ?? []
  const inPackage = paths.has(`packages/${name}/src`)
  const isModule = inPackage && /(?:^|\/)[A-Z]\w+$/.test(rest)
  if (!isModule && !/\.(?:ts|mjs|md)$/.test(path)) return true
  const named = isModule ? `${path}.ts` : path
  // Relative to the text or to a package, or the end of a path that the text has named before.
  return (
    paths.has(normalize(join(dirname(file), named))) ||
    (inPackage &&
      ["", "src/", "test/"].some((folder) => paths.has(`packages/${name}/${folder}${named.slice(name.length + 1)}`))) ||
    [...paths].some((known) => known.endsWith(`/${named}`))
  )
}

/** The lines of a Markdown text outside fences. */
const proseOf = (markdown: string): ReadonlyArray<{ readonly line: number; readonly text: string }> => {
  let fence: string | undefined
  return markdown.split(/\r?\n/).flatMap((text, index) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(text) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined
      return []
    }
    fence = mark
    return mark === undefined ? [{ line: index + 1, text }] : []
  })
}
