/** The typed failures of the derived client as the kit's class of errors. */
import type { ReadError, WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import { SandboxError } from "../SandboxError.ts"

export const errorOf = (failure: ReadError | WriteWithoutKeyError): SandboxError => {
  switch (failure._tag) {
    case "InvalidRequest":
      return new SandboxError("invalid", failure.message, failure)
    case "ApiFailure":
      return new SandboxError("refused", failure.message, failure)
    case "Unreachable":
      return new SandboxError("unreachable", failure.message)
    case "ResponseLost":
      return new SandboxError("unknown", failure.message)
    case "Unreadable":
      return new SandboxError("unreadable", failure.message, { status: failure.status })
  }
}

/** An error in the arguments of one of the kit's functions. */
export const invalid = (field: string, problem: string): SandboxError =>
  new SandboxError("invalid", `Nothing was sent: ${field} ${problem}`, { details: { [field]: [problem] } })
