/**
 * Writes lines of a log to a file descriptor without waiting for its reader: a terminal that was stopped, or a
 * supervisor that does not read its pipe, must not stop the server.
 *
 * @since 0.1.0
 */
import { constants, fstatSync, openSync, write, writeSync } from "node:fs"

/** Bytes that wait for the reader; beyond them lines are dropped, and counted. */
const mostWaiting = 1_048_576

/**
 * Milliseconds between two writes. Each wakes the reader, and a thread of Node's before it: of a client that asks in turn every
 * line was one, which took as long as the request. It is also how long a reader whose pipe is full is given.
 */
const rest = 20

export interface LogWriter {
  readonly write: (lines: string) => void
  /** Writes what waits, as far as the reader takes it at once: for the end of the program. */
  readonly end: () => void
}

type Written = (error: NodeJS.ErrnoException | null, written: number) => void

/** Writes as much as is taken. */
type Write = (descriptor: number, bytes: Buffer, written: Written) => void

/** For what keeps nobody waiting: it has ended when it returns, so that the end of the program meets none under way. */
const atOnce: Write = (descriptor, bytes, written) => {
  let taken: number
  try {
    taken = writeSync(descriptor, bytes)
  } catch (error) {
    // What Node's file system throws has a code.
    written(error as NodeJS.ErrnoException, 0)
    return
  }
  written(null, taken)
}

/**
 * How lines are written. A pipe is opened anew so that it refuses what its reader has no room for: a write that waits for the
 * reader would hold up even the end of the program.
 */
const wayTo = (descriptor: number): { readonly descriptor: number; readonly put: Write } => {
  try {
    const found = fstatSync(descriptor)
    if (found.isFile()) return { descriptor, put: atOnce }
    if (!found.isFIFO()) return { descriptor, put: write }
    return { descriptor: openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK), put: atOnce }
  } catch {
    return { descriptor, put: write }
  }
}

export const logWriter = (given: number): LogWriter => {
  const { descriptor, put } = wayTo(given)
  let waiting = Buffer.alloc(0)
  let added: Array<string> = []
  let size = 0
  let dropped = 0
  let isWriting = false
  /** Bytes of a write that has not ended. */
  let underWay = 0

  const gather = () => {
    if (dropped > 0 && size < mostWaiting / 2) {
      added.push(`${dropped} lines of the log were dropped, as nobody read them\n`)
      dropped = 0
    }
    if (added.length > 0) waiting = Buffer.concat([waiting, Buffer.from(added.join(""))])
    added = []
    size = waiting.length
  }

  const flush = () => {
    gather()
    if (waiting.length === 0) {
      isWriting = false
      return
    }
    underWay = waiting.length
    put(descriptor, waiting, (error, written) => {
      underWay = 0
      if (error === null) waiting = waiting.subarray(written)
      // A reader that is gone never comes back; one that is slow does.
      else if (error.code !== "EAGAIN") waiting = Buffer.alloc(0)
      size = waiting.length
      if (error === null) setTimeout(flush, rest)
      else setTimeout(flush, rest).unref()
    })
  }

  return {
    write: (lines) => {
      if (size > mostWaiting) {
        dropped++
        return
      }
      added.push(lines)
      size += lines.length
      if (isWriting) return
      isWriting = true
      setTimeout(flush, rest)
    },
    end: () => {
      gather()
      try {
        const left = waiting.subarray(underWay)
        if (left.length > 0) writeSync(descriptor, left)
      } catch {
        // Nobody reads it, and the program ends.
      }
      waiting = Buffer.alloc(0)
    }
  }
}
