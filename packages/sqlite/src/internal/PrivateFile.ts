/**
 * Files that hold what people owe, and are made for their owner alone.
 *
 * @since 0.1.0
 */
import { chmodSync, closeSync, openSync, statSync } from "node:fs"

/**
 * Makes an empty file that only its owner may read and write; leaves one that is there as it is.
 *
 * **Gotchas**
 *
 * Throws what `open` throws, save that the file exists.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createPrivately = (path: string): void => {
  try {
    // Only a file that cannot have been opened before is closed here: closing another would drop this process's locks
    // on it (POSIX, fcntl).
    closeSync(openSync(path, "wx", 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && (thrown.code === "EEXIST" || thrown.code === "EISDIR")))
      throw thrown
  }
}

/**
 * Makes a file that was copied or restored its owner's alone, as a new one is: the mode that others could read it with, and
 * undefined when they could not, when it is another user's, who decides, or when its file system has no modes or takes none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePrivate = (path: string): number | undefined => {
  const { mode, uid } = statSync(path)
  if (isPrivate(mode) || uid !== process.geteuid?.()) return undefined
  try {
    chmodSync(path, 0o600)
  } catch {
    // A database that could be opened before still can.
    return undefined
  }
  return isPrivate(statSync(path).mode) ? mode & 0o777 : undefined
}

const isPrivate = (mode: number): boolean => (mode & 0o077) === 0
