/** Finds what a merge leaves in a file when its conflicts are not resolved. */

/** What git writes at the start of a line, `=======` aside: a heading in Markdown may be underlined so. */
const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/

/** The numbers of the lines that are conflict markers, from 1. */
export const conflictMarkersIn = (text: string): ReadonlyArray<number> =>
  text.split(/\r?\n/).flatMap((line, index) => (marker.test(line) ? [index + 1] : []))
