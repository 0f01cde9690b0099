/**
 * Writes log lines to a file descriptor without waiting for its reader. A stopped terminal, or a supervisor that does
 * not read its pipe, must not block the server.
 *
 * @since 0.1.0
 */
import { constants, fstatSync, openSync, write, writeSync } from "node:fs"

/** Maximum number of bytes that wait for the reader. Further lines are dropped and counted. */
const maxWaiting = 1_048_576

/**
 * Milliseconds between two writes. Each write wakes the reader and a thread of Node, and one write per line took as
 * long as the request. It is also the delay before a retry on a full pipe.
 */
const flushInterval = 20

export interface LogWriter {
  readonly write: (lines: string) => void
  /** Flushes the remaining lines at the end of the program, as far as the reader accepts them at once. */
  readonly end: () => void
}

type Written = (error: NodeJS.ErrnoException | null, written: number) => void

/** Writes as many bytes as the reader accepts. */
type Write = (descriptor: number, bytes: Buffer, written: Written) => void

/** Writes synchronously to descriptors that never block, so that no write is pending at the end of the program. */
const atOnce: Write = (descriptor, bytes, written) => {
  let taken: number
  try {
    taken = writeSync(descriptor, bytes)
  } catch (error) {
    // Errors of Node's file system have a code.
    written(error as NodeJS.ErrnoException, 0)
    return
  }
  written(null, taken)
}

/**
 * Returns how to write to a descriptor. A pipe is reopened in non-blocking mode: a blocked write would delay even the
 * end of the program.
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
  /** Bytes of the pending write. */
  let pendingBytes = 0

  const gather = () => {
    if (dropped > 0 && size < maxWaiting / 2) {
      added.push(`${dropped} log lines were dropped, because their reader is too slow\n`)
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
    pendingBytes = waiting.length
    put(descriptor, waiting, (error, written) => {
      pendingBytes = 0
      if (error === null) waiting = waiting.subarray(written)
      // EAGAIN means a slow reader; after any other error the reader is gone for good.
      else if (error.code !== "EAGAIN") waiting = Buffer.alloc(0)
      size = waiting.length
      if (error === null) setTimeout(flush, flushInterval)
      else setTimeout(flush, flushInterval).unref()
    })
  }

  return {
    write: (lines) => {
      if (size > maxWaiting) {
        dropped++
        return
      }
      added.push(lines)
      size += lines.length
      if (isWriting) return
      isWriting = true
      setTimeout(flush, flushInterval)
    },
    end: () => {
      gather()
      try {
        const left = waiting.subarray(pendingBytes)
        if (left.length > 0) writeSync(descriptor, left)
      } catch {
        // The reader is gone, and the program ends.
      }
      waiting = Buffer.alloc(0)
    }
  }
}
