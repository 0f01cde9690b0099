import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { type Noted, RootWrites } from "../../src/commands/RootWrites.ts"

const guard = (id: number, version: number) => ({ table: "subscriptions", id: SvcPayId.make(id), version }) as const

/** Each that is named is the subscription, or a payment, that is written; nothing else of a state is looked at. */
const change = (table: Noted["changes"][number]["table"], id: number, next = {}) =>
  ({ table, next: { ...next, id: SvcPayId.make(id) } }) as Noted["changes"][number]

const writing = (id: number, changes: Noted["changes"] = [], more: Partial<Noted> = {}): Noted => ({
  guards: [guard(id, 0)],
  changes,
  begun: [],
  settled: [],
  ...more
})

const payment = SvcPayId.make(7)
const nothing = { subscription: undefined }

const noting = (roots: RootWrites, ...written: ReadonlyArray<Noted>) => {
  for (const writes of written) {
    roots.begin(0)
    roots.note(writes)
  }
}

/** A unit that left subscription 1 with its payment, and what is known of what was written since. */
const followed = (...written: ReadonlyArray<Noted>) => {
  const roots = new RootWrites()
  const left = guard(1, roots.begin(0) + 1)
  roots.note(writing(1, [change("subscriptions", 1), change("transactions", payment)]))
  noting(roots, ...written)
  return { left, roots, since: roots.since(left, payment) }
}

describe("what a unit left", () => {
  it("holds until another unit has written below the same root, and none below another", () => {
    const roots = new RootWrites()
    const loaded = roots.begin(0)
    roots.note(writing(1))
    const left = guard(1, loaded + 1)
    assert.isTrue(roots.hold([left]))
    noting(roots, writing(2))
    assert.isTrue(roots.hold([left]))
    noting(roots, writing(1))
    assert.isFalse(roots.hold([left]))
    assert.isFalse(roots.hold([guard(3, loaded), left]))
  })

  it("does not hold when it only says that it wrote, and another one did", () => {
    const roots = new RootWrites()
    const said = guard(1, roots.begin(0) + 1)
    noting(roots, writing(1))
    assert.isFalse(roots.hold([said]))
  })

  it("does not hold once its root is forgotten, of which only so many are remembered", () => {
    const roots = new RootWrites()
    const early = guard(1, roots.begin(0) + 1)
    roots.note(writing(1))
    for (let id = 2; id < 20_000; id += 1) noting(roots, writing(id))
    assert.isTrue(roots.hold([early]))
    noting(roots, writing(20_000))
    assert.isFalse(roots.hold([early]), "forgotten, so nobody knows")
    assert.isTrue(roots.hold([guard(10_000, early.version + 2 * 10_000)]))
    assert.isTrue(roots.hold([guard(1, roots.begin(0))]))
  })

  it("is not followed where its root was forgotten meanwhile, and written again since", () => {
    const { left, roots } = followed(writing(1, [change("cards", 4)]))
    for (let id = 2; id < 20_002; id += 1) noting(roots, writing(id))
    noting(roots, writing(1, [change("transactions", 8)]))
    assert.isUndefined(roots.since(left, payment))
  })

  it("is not followed where its payment was written again, and forgotten since", () => {
    const { left, roots } = followed(writing(1, [change("transactions", payment)]))
    for (let id = 8; id < 20_008; id += 1) noting(roots, writing(2, [change("transactions", id)]))
    assert.isUndefined(roots.since(left, payment))
  })

  it("is followed by its subscription as others left it last, beside other payments", () => {
    assert.deepStrictEqual(followed().since, nothing)
    const other = change("transactions", 8)
    assert.deepStrictEqual(followed(writing(1, [other]), writing(2, [change("cards", 4)])).since, nothing)
    const [first, last] = [change("subscriptions", 1, { note: 1 }), change("subscriptions", 1, { note: 2 })]
    const { since } = followed(writing(1, [first, other]), writing(1, [last]), writing(1, [other]))
    assert.strictEqual(since?.subscription, last.next)
  })

  it("is not followed where it was written itself, or more than payments and their subscription was", () => {
    const attempt = { transactionId: payment } as Noted["begun"][number]
    for (const written of [
      writing(1, [change("transactions", payment)]),
      writing(1, [], { begun: [attempt] }),
      writing(1, [], { settled: [attempt] }),
      writing(1, [change("subscriptions", 2)]),
      writing(1, [change("customers", 3)]),
      writing(1, [change("cards", 4)])
    ]) {
      assert.isUndefined(followed(written).since)
      assert.isUndefined(followed(written, writing(1, [change("subscriptions", 1)])).since)
    }
  })

  it("is not followed once units were undone, its subscription is forgotten, or rows were changed by other means", () => {
    const { left, roots } = followed(writing(1))
    assert.deepStrictEqual(roots.since(left, payment), nothing)
    const later = guard(1, roots.begin(1) + 1)
    assert.isUndefined(roots.since(left, payment), "units were undone")
    roots.note(writing(1, [change("subscriptions", 1)]))
    roots.begin(1)
    roots.note(writing(1, [change("subscriptions", 1)]))
    for (let id = 2; id <= 512; id += 1) {
      assert.isDefined(roots.since(later, payment))
      roots.begin(1)
      roots.note(writing(id, [change("subscriptions", id)]))
    }
    assert.isUndefined(roots.since(later, payment), "of so many some are forgotten")
    const last = guard(1, roots.begin(1))
    assert.deepStrictEqual(roots.since(last, payment), nothing)
    roots.forgetAll()
    assert.isUndefined(roots.since(last, payment))
  })
})
