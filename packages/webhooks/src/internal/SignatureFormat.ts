/**
 * How Standard Webhooks 1.0.0 writes what is signed, and a signature.
 *
 * @since 0.1.0
 */

/** What is signed before the body. */
export const headOf = (id: string, timestamp: string): string => `${id}.${timestamp}.`

/** A signature of the version that is a symmetric one, of its HMAC-SHA256 in Base64. */
export const writtenAs = (hmac: string): string => `v1,${hmac}`
