/** Compares the code of a translated page (`X.pt-BR.md`) with that of its original (`X.md`). */

const suffix = ".pt-BR.md"

/** The original of a translated page; undefined for any other file. */
export const originalOf = (file: string): string | undefined =>
  file.endsWith(suffix) ? `${file.slice(0, -suffix.length)}.md` : undefined

/** The Brazilian Portuguese translation of a page. */
export const translationOf = (file: string): string => file.replace(/\.md$/u, suffix)

/** Comments may be translated: a comment begins after a blank or at the start of a line. */
const withoutComment = (line: string): string => line.replace(/(^|\s)(?:#|\/\/) .*$/u, "").trimEnd()

/** The fences with a language other than `text`, without comments: commands and code that readers copy. */
export const codeIn = (markdown: string): ReadonlyArray<string> => {
  const fences: Array<string> = []
  let fence: Array<string> | undefined
  for (const line of markdown.split(/\r?\n/)) {
    if (fence !== undefined) {
      if (line.startsWith("```")) {
        fences.push(fence.join("\n"))
        fence = undefined
      } else fence.push(withoutComment(line))
    } else if (/^```(?!text\b)\w/u.test(line)) fence = [line]
  }
  return fences
}

/** The first difference of a translation's code from the original's, or undefined. */
export const difference = (original: string, translation: string): string | undefined => {
  const expected = codeIn(original)
  const found = codeIn(translation)
  const index = expected.findIndex((fence, place) => fence !== found[place])
  if (index !== -1) return `code block ${index + 1} differs from the original's`
  return found.length > expected.length
    ? `it has ${found.length} code blocks, the original ${expected.length}`
    : undefined
}
