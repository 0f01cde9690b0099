/**
 * Who is paid by the charges of the simulated Pix provider.
 *
 * @since 0.1.0
 */

/**
 * Who is paid, and where charges lie.
 *
 * @category options
 * @since 0.1.0
 */
export interface PixReceiver {
  /** Where charges lie: a host, with a port if need be, of at most 38 characters and without `https://`. */
  readonly host: string
  /** At most 25 characters once accents are taken off. */
  readonly merchantName: string
  /** At most 15 characters once accents are taken off. */
  readonly merchantCity: string
}

/**
 * A receiver whose charges lie at a host that can never exist (RFC 2606).
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultReceiver: PixReceiver = {
  host: "pix.parcela.example",
  merchantName: "Parcela Sandbox",
  merchantCity: "Sao Paulo"
}
