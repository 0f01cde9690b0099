import { assert, describe, it } from "@effect/vitest"
import { ofError } from "../src/WebhookSender.ts"

const withCode = (code: string) => Object.assign(new Error("not shown"), { code })

describe("the result of an error", () => {
  it("is NoResponse for a failed connection, also if the error is wrapped", () => {
    for (const code of [
      "ECONNREFUSED",
      "UND_ERR_SOCKET",
      "HPE_INVALID_CONSTANT",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "EPIPE"
    ]) {
      assert.strictEqual(ofError(new Error("wrapped", { cause: withCode(code) }))._tag, "NoResponse", code)
    }
  })

  it("is Defect for an error without a connection and for an invalid request", () => {
    const defects = [
      new TypeError("x is not a function"),
      withCode("UND_ERR_INVALID_ARG"),
      withCode("ERR_INVALID_ARG_TYPE"),
      // undici is not installed, or missing in the bundle of a program.
      withCode("ERR_MODULE_NOT_FOUND"),
      withCode("MODULE_NOT_FOUND")
    ]
    for (const defect of defects) {
      const problem = "The delivery could not be made: a defect of this service"
      assert.deepStrictEqual(ofError(defect), { _tag: "Defect", problem, defect })
    }
  })
})
