import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { Decision } from "@parcela/core/values/Decision"
import { Result } from "effect"

const at = (minutes: number) => MachineTime.make(1_790_000_000_000 + minutes * 60_000)

const settings = { url: "https://a.example/", events: ["transaction.updateStatus"] } as const
const context = { id: 7, companyId: CompanyId.make(1), now: at(0) }
const created = Endpoint.editDefault(undefined, settings, context).next
const second = Result.getOrThrow(Endpoint.create([created], settings, { ...context, id: 8, salt: "salt" })).next

const names = ({ events }: { readonly events: ReadonlyArray<{ readonly _tag: string }> }) =>
  events.map(({ _tag }) => _tag)

const unchanged = (decision: Decision<WebhookEndpointState>, state: WebhookEndpointState) => {
  assert.strictEqual(decision.next, state)
  assert.deepStrictEqual(decision, { next: state, events: [] })
}

describe("the default endpoint", () => {
  it("is created with the company's existing secret, switched on, each event once", () => {
    const twice = { ...settings, events: [...settings.events, ...settings.events] }
    assert.deepStrictEqual(Endpoint.editDefault(undefined, twice, context), {
      next: {
        id: 7,
        companyId: context.companyId,
        isDefault: true,
        ...settings,
        isOn: true,
        secrets: [{ version: 1, salt: "", createdAt: at(0) }],
        createdAt: at(0),
        updatedAt: at(0)
      },
      events: [{ _tag: "WebhookEndpointCreated", endpointId: 7, ...settings }]
    })
  })

  it("has its scheme and host in lower case, and its journal entry has no query", () => {
    const url = "HTTPS://Hooks.Example.COM:8443/Path?Token=Secret#Part"
    const made = Endpoint.editDefault(undefined, { ...settings, url }, context)
    assert.strictEqual(made.next.url, "https://hooks.example.com:8443/Path?Token=Secret#Part")
    const edited = Endpoint.edit(created, { url }, at(1))
    assert.strictEqual(edited.next.url, made.next.url)
    for (const { events } of [made, edited]) {
      assert.deepInclude(events[0], { url: "https://hooks.example.com:8443/Path" })
    }
    unchanged(Endpoint.edit(edited.next, { url }, at(2)), edited.next)
  })

  it("is switched on by an edit, and keeps its secrets", () => {
    const off = Endpoint.switchOff(created, "410", at(1)).next
    const edited = Endpoint.editDefault(off, { ...settings, events: [] }, { ...context, now: at(2) })
    assert.deepStrictEqual(edited.next, { ...created, events: [], updatedAt: at(2) })
    assert.deepStrictEqual(names(edited), ["WebhookEndpointEdited", "WebhookEndpointSwitchedOn"])
  })

  it("is unchanged by an edit with equal settings", () => {
    unchanged(Endpoint.editDefault(created, settings, { ...context, now: at(2) }), created)
  })

  it("cannot be deleted", () => {
    assert.strictEqual(Result.getOrThrow(Result.flip(Endpoint.remove(created, at(1))))._tag, "DefaultEndpoint")
  })
})

describe("an additional endpoint", () => {
  it("is created with its own secret, and found again by its salt", () => {
    assert.deepInclude(second, { id: 8, isDefault: false, secrets: [{ version: 1, salt: "salt", createdAt: at(0) }] })
    const again = Endpoint.create([created, second], settings, { ...context, id: 9, salt: "salt", now: at(1) })
    unchanged(Result.getOrThrow(again), second)
  })

  it("is refused after the twentieth, but an existing salt is still found", () => {
    const twenty = [second, ...Array.from({ length: 19 }, () => created)]
    const more = Endpoint.create(twenty, settings, { ...context, salt: "another" })
    assert.strictEqual(Result.getOrThrow(Result.flip(more))._tag, "TooManyEndpoints")
    unchanged(Result.getOrThrow(Endpoint.create(twenty, settings, { ...context, salt: "salt" })), second)
  })

  it("is edited only in the given fields, and stays on or off", () => {
    const off = Endpoint.switchOff(second, "410", at(1)).next
    const edited = Endpoint.edit(off, { url: "https://b.example/" }, at(2))
    assert.deepStrictEqual(edited.next, { ...off, url: "https://b.example/", updatedAt: at(2) })
    assert.deepStrictEqual(names(edited), ["WebhookEndpointEdited"])
    unchanged(Endpoint.edit(off, {}, at(2)), off)
    unchanged(Endpoint.edit(off, { events: [...off.events, ...off.events] }, at(2)), off)
  })

  it("is switched off with a reason and on without a reason, each once", () => {
    const off = Endpoint.switchOff(second, "410", at(1))
    assert.deepStrictEqual(off.next, { ...second, isOn: false, offReason: "410", offAt: at(1), updatedAt: at(1) })
    unchanged(Endpoint.switchOff(off.next, "by hand", at(2)), off.next)
    const on = Endpoint.switchOn(off.next, at(3))
    assert.deepStrictEqual(on.next, { ...second, updatedAt: at(3) })
    unchanged(Endpoint.switchOn(on.next, at(4)), on.next)
  })

  it("is switched off without events when it is deleted, once", () => {
    const removed = Result.getOrThrow(Endpoint.remove(second, at(1)))
    assert.deepInclude(removed.next, { isOn: false, events: [], deletedAt: at(1) })
    assert.deepStrictEqual(names(removed), ["WebhookEndpointDeleted"])
    unchanged(Result.getOrThrow(Endpoint.remove(removed.next, at(2))), removed.next)
  })
})

describe("the secrets of an endpoint", () => {
  const rotate = (state: WebhookEndpointState, salt: string, minutes: number, overlap = 60_000) =>
    Endpoint.rotate(state, { now: at(minutes), overlap, salt })

  it("are rotated once for each salt", () => {
    const rotated = Result.getOrThrow(rotate(second, "next", 1))
    assert.deepStrictEqual(
      rotated.next.secrets.map(({ salt, version }) => [version, salt]),
      [
        [2, "next"],
        [1, "salt"]
      ]
    )
    assert.deepStrictEqual(rotated.events, [
      { _tag: "WebhookSecretRotated", endpointId: 8, version: 2, earlierUntil: at(2) }
    ])
    unchanged(Result.getOrThrow(rotate(rotated.next, "next", 5)), rotated.next)
  })

  it("are limited to four at a time", () => {
    const four = ["b", "c", "d"].reduce(
      (state, salt) => Result.getOrThrow(rotate(state, salt, 1, 3_600_000)).next,
      second
    )
    assert.strictEqual(Result.getOrThrow(Result.flip(rotate(four, "e", 2, 3_600_000)))._tag, "TooManySecrets")
  })

  it("are reduced to one when the overlap is ended, once", () => {
    const rotated = Result.getOrThrow(rotate(second, "next", 1, 3_600_000)).next
    const ended = Endpoint.endOverlap(rotated, at(2))
    assert.deepStrictEqual(names(ended), ["WebhookSecretsEnded"])
    assert.strictEqual(ended.next.secrets[1]?.notAfter, at(2))
    unchanged(Endpoint.endOverlap(ended.next, at(2)), ended.next)
  })
})
