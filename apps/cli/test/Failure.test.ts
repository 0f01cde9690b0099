import { assert, describe, it } from "@effect/vitest"
import { Unreadable } from "@parcela/transport/client/ClientError"
import { Redacted } from "effect"
import { forPeople } from "../src/Failure.ts"

const unreadable = (body: string, idempotencyKey?: string) =>
  forPeople(
    Object.assign((_: string, text: string) => text, { columns: 80 }),
    new Unreadable({
      status: 200,
      reason: "response.Transaction.svcPayId is missing",
      body: Redacted.make(body),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    })
  )

describe("a response that cannot be read", () => {
  it("to a read does not say that something was written", () => {
    const told = unreadable("{}")
    assert.include(told, "try: Nothing was changed. Check that the base URL")
  })

  it("to a write says that it did happen, and under which key", () => {
    assert.include(unreadable("{}", "key-1"), "The write did happen, under --idempotency-key key-1")
  })

  it("of a server with another name on the wire names that setting", () => {
    const told = unreadable(`{"Transaction":{"galaxPayId":7}}`, "key-1")
    assert.include(
      told,
      "The service calls itself galaxPay (its setting PARCELA_NAMING): run the command with --naming galaxPay"
    )
    assert.notInclude(told, "base URL")
  })
})
