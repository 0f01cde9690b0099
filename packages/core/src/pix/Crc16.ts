/**
 * CRC-16/CCITT-FALSE, the checksum of a Pix BR Code: polynomial 1021, initial value FFFF, no reflection.
 *
 * @since 0.1.0
 */

/**
 * The CRC of a text's UTF-8 bytes as four upper-case hexadecimal digits: `29B1` for `123456789`.
 *
 * @category check digits
 * @since 0.1.0
 */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    }
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}
