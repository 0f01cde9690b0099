/** Finds unresolved conflicts of merges. */

/** The marks of git at the start of a line, except `=======`, which also underlines a heading in Markdown. */
const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/

/** Returns the numbers of the lines with conflict markers, from 1. */
export const conflictMarkersIn = (text: string): ReadonlyArray<number> =>
  text.split(/\r?\n/).flatMap((line, index) => (marker.test(line) ? [index + 1] : []))
