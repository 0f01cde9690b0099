/**
 * Remedies for refusals of the service, by status and fields, and for network errors, which the system reports as codes.
 *
 * @since 0.1.0
 */
import type { ApiFailure } from "@parcela/transport/client/ClientError"

export const remedyOfRefusal = ({ details = {}, retryAfter, status }: ApiFailure): string => {
  switch (status) {
    case 400:
      return remedyOfFields(Object.keys(details))
    case 401:
      return "Check the client id, and the secret in PARCELA_CLIENT_SECRET or the profile"
    case 403:
      return "The credentials lack the scope, or this address is not allowed: ask the company that issued them"
    case 404:
      return remedyOfNotFound(Object.keys(details))
    case 409:
      return "Wait until the running request has ended, and run the command again"
    case 413:
      return "Send a smaller body"
    case 422:
      return "That --idempotency-key belongs to another request: omit it or choose a new one"
    case 429:
      return `${wait(retryAfter)}. Nothing was changed`
    case 501:
      return "Nothing was changed. This service does not offer the operation: ask its operator"
    case 502:
    case 503:
    case 504:
      return `${wait(retryAfter)}: the service, or a system that it depends on, is temporarily unavailable`
    default:
      return "Try again. If the error remains, send the request id to the operator of the service"
  }
}

const wait = (seconds: number | undefined): string =>
  seconds === undefined ? "Try again later" : `Try again in ${seconds} s`

/** Remedies for fields that conflict with existing state. */
const states: ReadonlyArray<readonly [field: RegExp, remedy: (entity: string) => string]> = [
  [
    /\.status$|^Charge\.mainPaymentMethodId$|^Subscription\.Transactions$/u,
    (entity) =>
      `Nothing was changed, because its status does not allow this. To see the status: parcela ${listOf(entity)} list`
  ],
  [/\.datetimeLastSentToOperator$/u, () => "Nothing was changed. Wait until then, and run the command again"],
  [
    /^AbecsReasonDenied\./u,
    () => "Nothing was changed. Try another card: parcela transactions edit .. --card-file - --try-now"
  ],
  [
    /^(?:Card\.(?:number|expiresAt)|PaymentMethodCreditCard\.Card)$/u,
    () =>
      "Nothing was changed. Give another card: --card-file -, --card-my-id or, in a sandbox, --test-card; for a retry first by parcela transactions edit"
  ],
  [
    /\.(?:myId|document)$/u,
    (entity) => `Choose another identifier, or edit the existing entity: parcela ${listOf(entity)} list finds it`
  ]
]

const listOf = (entity: string): string => `${entity.charAt(0).toLowerCase()}${entity.slice(1)}s`

const remedyOfState = (field: string): string | undefined =>
  states.find(([pattern]) => pattern.test(field))?.[1](field.split(".")[0] ?? "")

/** Returns the first remedy if no field can be corrected, because existing state conflicts with each field. */
const remedyOfFields = (fields: ReadonlyArray<string>): string => {
  const remedies = fields.map(remedyOfState)
  if (remedies.includes(undefined)) return "Correct these fields and run the command again; --help shows its flags"
  return remedies[0] ?? "Nothing was changed. Try again once the reason above no longer applies"
}

/** Returns the remedy of a 404. A missing or finished entity is named by a field; an unknown path has no fields. */
const remedyOfNotFound = (fields: ReadonlyArray<string>): string => {
  if (fields.length === 0)
    return "Check the base URL (--base-url): it contains the version, as in http://127.0.0.1:8026/v2"
  // The service's own identifier has the name of the naming profile.
  return fields.some((field) => /\.(?:\w+PayId|myId)$/u.test(field))
    ? "Check the identifier, and with --by if it is yours (myId) or the service's"
    : "Check with the list command: an entity of the request does not exist, or is finished"
}

interface Reason {
  readonly says: string
  readonly remedy: string
}

const address = "Check the base URL (--base-url, PARCELA_BASE_URL or the profile)"
const certificate =
  "Check the base URL. To trust your own certificate, set NODE_EXTRA_CA_CERTS. Never send a secret to a service that you cannot verify"

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { says: "no program listens there", remedy: `Start the service. ${address}` },
  ENOTFOUND: { says: "no machine has that name", remedy: address },
  EAI_AGAIN: { says: "its name could not be resolved", remedy: `Check the network of this machine. ${address}` },
  ENETUNREACH: { says: "its network is unreachable", remedy: "Check the network of this machine" },
  EHOSTUNREACH: { says: "its machine is unreachable", remedy: "Check the network of this machine" },
  UND_ERR_CONNECT_TIMEOUT: { says: "it did not accept the connection in time", remedy: `Try again. ${address}` },
  ETIMEDOUT: { says: "it did not accept the connection in time", remedy: `Try again. ${address}` },
  ECONNRESET: { says: "the connection was cut", remedy: "Try again" },
  UND_ERR_SOCKET: { says: "the connection was cut", remedy: "Try again" },
  EPIPE: { says: "the connection was cut", remedy: "Try again" },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    says: "it does not use TLS",
    remedy: "Check if the base URL must be http or https"
  },
  EPROTO: { says: "it does not use TLS", remedy: "Check if the base URL must be http or https" },
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
