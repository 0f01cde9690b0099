/** The typed failures of the derived client as classes of errors. */
import type { ReadError, WriteError } from "@parcela/transport/client/ClientError"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  type ParcelaError,
  UnknownOutcomeError,
  UnreadableResponseError
} from "../ParcelaError.ts"

export const errorOf = (failure: ReadError | WriteError): ParcelaError => {
  switch (failure._tag) {
    case "InvalidRequest":
      return new InvalidRequestError(failure.message, failure.details)
    case "ApiFailure":
      return new ApiError(failure.message, failure)
    case "Unreachable":
      return new ConnectionError(failure.message)
    case "UnknownOutcome":
      return new UnknownOutcomeError(failure.message, failure)
    case "Unreadable":
      return new UnreadableResponseError(failure.message, { ...failure, body: Redacted.value(failure.body) })
  }
}

/** What a promise is rejected with: the failure if there is one, also beside an interruption. */
export const rejectionOf = (cause: Cause.Cause<ReadError | WriteError>, signal: AbortSignal | undefined): unknown =>
  Option.match(Cause.findErrorOption(cause), {
    onSome: errorOf,
    onNone: () => (signal?.aborted === true ? signal.reason : Cause.squash(cause))
  })
