import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import * as Contracts from "./Contracts.ts"
import { type Exemplified, isOf } from "./Contracts.ts"
import * as Fake from "./Fake.ts"

/** The command of each operation, such as `charges.retry`; `-` stands for the example of its body. */
const billing: Readonly<Record<string, string>> = {
  "subscriptions.createManual": "subscriptions create-manual --body -",
  "subscriptions.create": "subscriptions create --body -",
  "subscriptions.edit": "subscriptions edit-payment contract-1 --body -",
  "subscriptions.cancel": "subscriptions cancel 1 --by svcPayId",
  "subscriptions.list": "subscriptions list --id 1",
  "transactions.list": "transactions list --id 1",
  "transactions.add": "transactions add contract-1 --body -",
  "transactions.edit": "transactions edit payment-1 --body -",
  "transactions.retry": "transactions retry 4 --by svcPayId",
  "transactions.reverse": "transactions reverse payment-1 --value 500",
  "transactions.capture": "transactions capture payment-1",
  "transactions.cancel": "transactions cancel payment-1",
  "customers.list": "customers list --id 1",
  "customers.create": "customers create --body -",
  "customers.edit": "customers edit maria --body -",
  "customers.deactivate": "customers deactivate 2 --by galaxPayId",
  "plans.list": "plans list --id 1",
  "plans.create": "plans create --body -",
  "plans.edit": "plans edit box --body -",
  "plans.deactivate": "plans deactivate box",
  "charges.list": "charges list --id 1",
  "charges.create": "charges create --body -",
  "charges.edit": "charges edit 7 --by svcPayId --body -",
  "charges.retry": "charges retry order-1",
  "charges.reverse": "charges reverse order-1 --value 500",
  "charges.capture": "charges capture order-1",
  "charges.cancel": "charges cancel order-1",
  "cardBrands.list": "card-brands list",
  "cards.list": "cards list --id 1",
  "cards.add": "cards add maria --card-file -",
  "cards.remove": "cards remove card-1",
  "paymentMethods.list": "payment-methods list",
  "webhooks.edit": "webhooks set --body -",
  "webhooks.get": "webhooks get"
}

const sandbox: Readonly<Record<string, string>> = {
  "companies.list": "companies list",
  "companies.create": "companies create suite-7",
  "companies.find": "companies show",
  "companies.edit": "companies edit suite-7 --legal-name Padaria --document 11444777000161 --city Recife",
  "snapshots.reset": "reset",
  "snapshots.list": "snapshots list",
  "snapshots.take": "snapshots take base",
  "snapshots.restore": "snapshots restore base",
  "snapshots.remove": "snapshots delete base",
  "fixtures.apply": "fixtures apply -",
  "clock.show": "clock",
  "clock.advance": "advance 30d",
  "clock.lastAdvance": "last-advance",
  "clock.cancelAdvance": "cancel-advance",
  "requests.list": "requests --status 200",
  "events.list": "events",
  "ledger.list": "ledger",
  "testCards.list": "test-cards --code 51",
  "faults.list": "faults list",
  "faults.plan": "faults plan charge denied",
  "faults.clear": "faults clear",
  "payments.pay": "payments pay pix-1",
  "chargebacks.open": "chargebacks open payment-1",
  "payments.list": "payments list",
  "payments.reported": "payments reported --standing unmatched",
  "quarantinedWork.list": "work list",
  "quarantinedWork.release": "work release resolve 4",
  "subscriptions.stop": "subscriptions stop contract-1",
  "subscriptions.reactivate": "subscriptions reactivate contract-1",
  "subscriptions.deactivate": "subscriptions deactivate contract-1",
  "transactions.waive": "transactions waive payment-1",
  "charges.deactivate": "charges deactivate order-1",
  "endpoints.list": "endpoints list",
  "endpoints.create": "endpoints create https://shop.example/hooks --all",
  "endpoints.edit": "endpoints edit 2 --none",
  "endpoints.remove": "endpoints delete 2",
  "endpoints.switchOn": "endpoints on 2",
  "endpoints.switchOff": "endpoints off 2",
  "secrets.list": "endpoints secrets 2",
  "secrets.rotate": "endpoints rotate 2",
  "secrets.endOverlap": "endpoints rotate 2 --end",
  "deliveries.list": "deliveries list",
  "deliveries.attempts": "deliveries attempts 7",
  "deliveries.replay": "deliveries replay 7",
  "deliveries.replayAll": "deliveries replay --all",
  "deliveries.findReplay": "deliveries replay-status 3"
}

interface Case extends Exemplified {
  readonly words: ReadonlyArray<string>
}

/** Each operation with its command; one without a command has no words. */
const casesOf = (operations: ReadonlyArray<Exemplified>, commands: Readonly<Record<string, string>>) =>
  operations.map((operation): Case => ({ ...operation, words: wordsOf(commands[operation.name] ?? "") }))

const administration: Readonly<Record<string, string>> = {
  "subscriptions.stop": "subscriptions stop contract-1",
  "subscriptions.reactivate": "subscriptions reactivate contract-1",
  "subscriptions.deactivate": "subscriptions deactivate contract-1",
  "transactions.waive": "transactions waive payment-1",
  "charges.deactivate": "charges deactivate order-1"
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

interface Options {
  readonly flags?: ReadonlyArray<string>
  readonly toWire?: (json: unknown) => unknown
}

const runs = (one: Case, base: string, { flags = [], toWire = (json) => json }: Options = {}) =>
  Fake.parcela([...wordsOf(base), ...one.words, ...flags], {
    stdin: JSON.stringify(toWire(one.examples.request) ?? null),
    // A command may look at something first.
    play: (request) => (isOf(one, request) ? [200, toWire(one.examples.response)] : Contracts.respond(request))
  })

/** A service of another name that refuses, in its own names. */
const refusing = ({ examples, words }: Case, flags: ReadonlyArray<string>) => {
  const details = { "Transaction.galaxPayId": ["no transaction of this company has that galaxPayId"] }
  return Fake.parcela([...words, ...flags], {
    stdin: JSON.stringify(examples.request ?? null),
    play: () => [404, { error: { message: "Send galaxPayId or myId", details } }]
  })
}

const billingCases = casesOf(Contracts.billing, billing)
const sandboxCases = casesOf(Contracts.sandbox, sandbox)

for (const [base, cases, commands] of [
  ["", billingCases, billing],
  ["sandbox", sandboxCases, sandbox],
  ["admin", casesOf(Contracts.administration, administration), administration]
] as const) {
  describe(`parcela ${base}`, () => {
    it.effect.each(cases)("has a command for $name", (one) =>
      Effect.gen(function* () {
        assert.isNotEmpty(one.words, `no command asks for ${one.name}: add one, and its words to this test`)
        const { requests, code, err, out } = yield* runs(one, base)
        assert.deepStrictEqual([code, err], [0, ""])
        assert.isNotEmpty(out)
        const last = requests.at(-1)
        assert.isTrue(last !== undefined && isOf(one, last), `${last?.method} ${last?.url}`)
        const json = yield* runs(one, base, { flags: ["--json"] })
        assert.deepStrictEqual(JSON.parse(json.out), one.examples.response)
      })
    )

    it("has no command that is not in the contract", () => {
      const names = new Set(cases.map(({ name }) => name))
      assert.deepStrictEqual(
        Object.keys(commands).filter((name) => !names.has(name)),
        []
      )
    })
  })
}

describe("parcela --naming", () => {
  it.effect.each(billingCases)("sends and reads $name with another naming profile", (one) =>
    Effect.gen(function* () {
      const own = yield* runs(one, "")
      const other = yield* runs(one, "", { flags: ["--naming", "galaxPay"], toWire: galaxPay.toWire })
      assert.deepStrictEqual([other.code, other.out, other.err], [own.code, own.out, own.err])
      const json = yield* runs(one, "", { flags: ["--naming", "galaxPay", "--json"], toWire: galaxPay.toWire })
      const refused = yield* refusing(one, ["--naming", "galaxPay"])
      assert.strictEqual(refused.code, 1)
      assert.notMatch([other, json, refused].map(({ err, out }) => out + err).join("\n"), /svcPay/iu)
      const requests = (own.requests.at(-1)?.url ?? "").replace("http://127.0.0.1:8026/v2", "")
      assert.strictEqual(other.requests.at(-1)?.url, `http://127.0.0.1:8026/v2${galaxPay.toWirePath(requests)}`)
      assert.deepStrictEqual(other.requests.at(-1)?.body, galaxPay.toWire(own.requests.at(-1)?.body))
    })
  )

  it.effect("is read from the flag, the environment or the profile, in this order", () =>
    Effect.gen(function* () {
      const words = ["transactions", "list", "--subscription-id", "7"]
      const play = () => [200, { Transactions: [] }] as const
      const idsOf = ({ requests }: Fake.Ran) => [...new URL(requests.at(-1)?.url ?? "").searchParams.keys()].at(-1)
      assert.strictEqual(idsOf(yield* Fake.parcela(words, { play })), "subscriptionSvcPayIds")
      const profiles = JSON.stringify({ default: { naming: "galaxPay" } })
      const PARCELA_CONFIG = yield* Fake.file(profiles)
      assert.strictEqual(
        idsOf(yield* Fake.parcela(words, { play, env: { PARCELA_CONFIG } })),
        "subscriptionGalaxPayIds"
      )
      const env = { PARCELA_CONFIG, PARCELA_NAMING: "otherPay" }
      assert.strictEqual(idsOf(yield* Fake.parcela(words, { play, env })), "subscriptionOtherPayIds")
      const flagged = yield* Fake.parcela([...words, "--naming", "svcPay"], { play, env })
      assert.strictEqual(idsOf(flagged), "subscriptionSvcPayIds")
      const wrong = yield* Fake.parcela([...words, "--naming", "Not a name"])
      assert.deepStrictEqual([wrong.code, wrong.requests], [2, []])
      assert.include(wrong.err, "galaxPay")
    })
  )

  it.effect("is used for fields and messages of failures", () =>
    Effect.gen(function* () {
      const naming = ["--naming", "galaxPay"]
      const mine = yield* Fake.parcela(["charges", "retry", "x", "--by", "svcPayId", ...naming])
      assert.include(mine.err, "Charge.galaxPayId")
      const details = { "Transaction.galaxPayId": ["no transaction of this company has that identifier"] }
      const theirs = yield* Fake.parcela(["transactions", "retry", "7", "--by", "galaxPayId", "--json", ...naming], {
        play: () => [404, { error: { message: "Not found", details } }]
      })
      assert.deepStrictEqual(JSON.parse(theirs.err), { error: { message: "Not found", details } })
    })
  )
})
