/**
 * Explains network errors, which the system reports as codes, with a remedy.
 *
 * @since 0.1.0
 */

interface Reason {
  readonly says: string
  readonly remedy: string
}

const address = "Check the base URL (--base-url, PARCELA_BASE_URL or the profile)"
const certificate =
  "Check the base URL; a certificate of your own is trusted by NODE_EXTRA_CA_CERTS. Never send a secret to a service that you cannot verify"

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { says: "no program listens there", remedy: `Start the service. ${address}` },
  ENOTFOUND: { says: "no machine has that name", remedy: address },
  EAI_AGAIN: { says: "its name could not be looked up", remedy: `Check the network of this machine. ${address}` },
  ENETUNREACH: { says: "there is no way to its network", remedy: "Check the network of this machine" },
  EHOSTUNREACH: { says: "there is no way to its machine", remedy: "Check the network of this machine" },
  UND_ERR_CONNECT_TIMEOUT: { says: "it did not take the connection in time", remedy: `Try again. ${address}` },
  ETIMEDOUT: { says: "it did not take the connection in time", remedy: `Try again. ${address}` },
  ECONNRESET: { says: "the connection was cut", remedy: "Try again" },
  UND_ERR_SOCKET: { says: "the connection was cut", remedy: "Try again" },
  EPIPE: { says: "the connection was cut", remedy: "Try again" },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    says: "it does not speak TLS",
    remedy: "Check whether the base URL is http or https"
  },
  EPROTO: { says: "it does not speak TLS", remedy: "Check whether the base URL is http or https" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { says: "its certificate is signed by itself", remedy: certificate },
  SELF_SIGNED_CERT_IN_CHAIN: { says: "its certificate is signed by an unknown authority", remedy: certificate },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { says: "its certificate is signed by an unknown authority", remedy: certificate },
  CERT_HAS_EXPIRED: { says: "its certificate has expired", remedy: certificate },
  ERR_TLS_CERT_ALTNAME_INVALID: { says: "its certificate is for another name", remedy: certificate }
}

/** Returns the description of an error code, with the code. */
export const inWords = (reason: string): string => {
  const text = reason.replace(/\.$/u, "")
  const known = reasons[text]
  return known === undefined ? text : `${known.says} (${text})`
}

/** Returns the remedy. On this machine the service is most likely the sandbox. */
export const remedyOf = (reason: string, isHere: boolean): string =>
  isHere && reason === "ECONNREFUSED"
    ? `Start the sandbox with npm start. ${address}`
    : (reasons[reason]?.remedy ?? `Check that the service is running. ${address}`)
