/**
 * Writes JSON as bytes. A string put together of thousands of pieces takes longer to be flattened and encoded than to be made.
 *
 * **Details**
 *
 * Writing is synchronous, so that all writers share one buffer; `written` copies the result out of it. A buffer that grew beyond
 * `mostKept` is dropped at the next write.
 *
 * @since 0.1.0
 */

const leastKept = 65_536
const mostKept = 1_048_576

let bytes = new Uint8Array(leastKept)
/** The same bytes. */
let words = new DataView(bytes.buffer)
let end = 0

const useBuffer = (buffer: Uint8Array<ArrayBuffer>): void => {
  bytes = buffer
  words = new DataView(buffer.buffer)
}

const encoder = new TextEncoder()

/** Enlarges the buffer where so many bytes more do not fit. */
const reserve = (more: number): void => {
  if (end + more <= bytes.length) return
  const larger = new Uint8Array(Math.max(bytes.length * 2, end + more))
  larger.set(bytes.subarray(0, end))
  useBuffer(larger)
}

/**
 * What `write` writes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const written = (write: () => void): Uint8Array => {
  end = 0
  if (bytes.length > mostKept) useBuffer(new Uint8Array(leastKept))
  write()
  return bytes.slice(0, end)
}

/**
 * How many bytes were written so far.
 *
 * @category getters
 * @since 0.1.0
 */
export const length = (): number => end

/**
 * One sign of ASCII.
 *
 * @category writing
 * @since 0.1.0
 */
export const sign = (code: number): void => {
  reserve(1)
  bytes[end++] = code
}

/**
 * Puts another sign of ASCII where one was written.
 *
 * @category writing
 * @since 0.1.0
 */
export const replace = (at: number, code: number): void => {
  bytes[at] = code
}

/**
 * Text that is JSON already, eight bytes in each number: a loop over bytes takes three times as long, and `set` longer to begin.
 *
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly length: number
  /** What is beyond `length` is written over by what comes next. */
  readonly eights: Float64Array
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const rawOf = (json: string): Raw => {
  const text = encoder.encode(json)
  const padded = new Uint8Array(Math.ceil(text.length / 8) * 8)
  padded.set(text)
  const within = new DataView(padded.buffer)
  // UTF-8 has no eight bytes that are no number.
  const eights = Float64Array.from({ length: padded.length / 8 }, (_, index) => within.getFloat64(8 * index, true))
  return { length: text.length, eights }
}

/**
 * @category writing
 * @since 0.1.0
 */
export const raw = ({ eights, length }: Raw): void => {
  reserve(length + 8)
  const into = words
  let at = end
  // All are there.
  for (let index = 0; index < eights.length; index++, at += 8) into.setFloat64(at, eights[index]!, true)
  end += length
}

/**
 * What was written between two places, once more.
 *
 * @category writing
 * @since 0.1.0
 */
export const again = (from: number, to: number): void => {
  reserve(to - from)
  bytes.copyWithin(end, from, to)
  end += to - from
}

/** What is not only ASCII, or needs other signs in JSON. */
const json = (text: string): void => {
  // A unit of UTF-16 takes three bytes of UTF-8 at most.
  reserve(3 * text.length)
  end += encoder.encodeInto(text, bytes.subarray(end)).written
}

const quote = 34
const backslash = 92

const string = (text: string): void => {
  const { length } = text
  reserve(2 * length + 2)
  const into = bytes
  let at = end
  into[at++] = quote
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 32 && code < 0x80 && code !== quote && code !== backslash) {
      into[at++] = code
    } else if (code >= 0x80 && code < 0x800) {
      into[at++] = 0xc0 | (code >> 6)
      into[at++] = 0x80 | (code & 63)
    } else {
      return json(JSON.stringify(text))
    }
  }
  into[at++] = quote
  end = at
}

/** A text of ASCII. */
const ascii = (text: string): void => {
  const { length } = text
  reserve(length)
  const into = bytes
  let at = end
  for (let index = 0; index < length; index++) into[at++] = text.charCodeAt(index)
  end = at
}

/** A whole number from 0 up of 32 bits. */
const whole = (number: number): void => {
  let digits = 1
  for (let least = 10; number >= least; least *= 10) digits++
  reserve(digits)
  const into = bytes
  end += digits
  let at = end
  let left = number
  do {
    into[--at] = 48 + (left % 10)
    left = (left / 10) | 0
  } while (left > 0)
}

/**
 * A value of JSON.
 *
 * @category writing
 * @since 0.1.0
 */
export const value = (one: unknown): void => {
  // What is asked for one by one takes no call, as `typeof` by itself does.
  if (typeof one === "string") return string(one)
  if (typeof one === "number") {
    return one >= 0 && (one | 0) === one ? whole(one) : ascii(Number.isFinite(one) ? String(one) : "null")
  }
  if (typeof one === "boolean") return ascii(one ? "true" : "false")
  if (one === undefined) return ascii("null")
  json(JSON.stringify(one))
}
