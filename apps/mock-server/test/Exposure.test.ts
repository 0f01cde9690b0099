import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { exposure } from "../src/StartupMessages.ts"

const chosen = (host: string, secret = "sandbox-secret") => ({ host, clientSecret: Redacted.make(secret) })

it("warns if other machines reach a server with the default secret, and lists what they may do", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.7", "sandbox.internal"]) {
    const warning = exposure(chosen(host))
    assert.include(warning, `PARCELA_HOST is ${host}:`)
    assert.include(warning, "PARCELA_CONTROLS_TOKEN")
    assert.include(warning, "set PARCELA_CLIENT_SECRET")
  }
})

it("prints no warning for a server that only this machine reaches, or with its own secret", () => {
  for (const host of ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "localhost"])
    assert.isUndefined(exposure(chosen(host)))
  for (const host of ["127.example.net", "127.0.0.1.example.net", "127.0.0.999"])
    assert.isDefined(exposure(chosen(host)))
  assert.isUndefined(exposure(chosen("0.0.0.0", "of my own")))
})
