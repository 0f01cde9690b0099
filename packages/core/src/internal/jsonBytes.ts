/**
 * A JSON writer for bytes. Encoding a string that was concatenated from thousands of pieces takes longer than building
 * it.
 *
 * **Details**
 *
 * Writing is synchronous, so all writers share one buffer, and `written` copies the result. A buffer that grew above
 * `maxBufferSize` is replaced at the next write.
 *
 * @since 0.1.0
 */

const initialBufferSize = 65_536
const maxBufferSize = 1_048_576

let bytes = new Uint8Array(initialBufferSize)
/** A view of the same buffer. */
let words = new DataView(bytes.buffer)
let end = 0

const useBuffer = (buffer: Uint8Array<ArrayBuffer>): void => {
  bytes = buffer
  words = new DataView(buffer.buffer)
}

const encoder = new TextEncoder()

/** Enlarges the buffer if it has less than `more` free bytes. */
const reserve = (more: number): void => {
  if (end + more <= bytes.length) return
  const larger = new Uint8Array(Math.max(bytes.length * 2, end + more))
  larger.set(bytes.subarray(0, end))
  useBuffer(larger)
}

/**
 * Returns the bytes that `write` writes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const written = (write: () => void): Uint8Array => {
  end = 0
  if (bytes.length > maxBufferSize) useBuffer(new Uint8Array(initialBufferSize))
  write()
  return bytes.slice(0, end)
}

/**
 * Number of bytes written so far.
 *
 * @category getters
 * @since 0.1.0
 */
export const length = (): number => end

/**
 * Writes one ASCII character.
 *
 * @category writing
 * @since 0.1.0
 */
export const sign = (code: number): void => {
  reserve(1)
  bytes[end++] = code
}

/**
 * Overwrites one byte with an ASCII character.
 *
 * @category writing
 * @since 0.1.0
 */
export const replace = (at: number, code: number): void => {
  bytes[at] = code
}

/**
 * Encoded JSON text in units of eight bytes. Copying byte by byte takes three times as long, and `set` has a higher
 * cost per call.
 *
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly length: number
  /** The padding after `length` is overwritten by the next write. */
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
  // UTF-8 never contains the eight bytes of a NaN, so each unit survives the conversion to a number.
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
  // The index is below the length.
  for (let index = 0; index < eights.length; index++, at += 8) into.setFloat64(at, eights[index]!, true)
  end += length
}

/**
 * Writes the bytes between two positions again.
 *
 * @category writing
 * @since 0.1.0
 */
export const again = (from: number, to: number): void => {
  reserve(to - from)
  bytes.copyWithin(end, from, to)
  end += to - from
}

/** Writes a text that is not plain ASCII, or that needs JSON escapes. */
const json = (text: string): void => {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
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

/** Writes an ASCII text. */
const ascii = (text: string): void => {
  const { length } = text
  reserve(length)
  const into = bytes
  let at = end
  for (let index = 0; index < length; index++) into[at++] = text.charCodeAt(index)
  end = at
}

/** Writes a whole number from 0 to 2^31 - 1. */
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
 * Writes a JSON value.
 *
 * @category writing
 * @since 0.1.0
 */
export const value = (one: unknown): void => {
  // V8 compiles `typeof one === ..` without a call, but calls a function for `typeof one` alone.
  if (typeof one === "string") return string(one)
  if (typeof one === "number") {
    return one >= 0 && (one | 0) === one ? whole(one) : ascii(Number.isFinite(one) ? String(one) : "null")
  }
  if (typeof one === "boolean") return ascii(one ? "true" : "false")
  if (one === undefined) return ascii("null")
  json(JSON.stringify(one))
}
