import { assert, describe, it } from "@effect/vitest"
import {
  isFinal,
  nextStatuses,
  openingStatus,
  statusDescriptions,
  transactionCauses,
  type TransactionCause,
  transactionGroups,
  TransactionStatus,
  transactionTransitions
} from "../../src/transactions/TransactionStatus.ts"

// Written down by hand, as the interface's wording and the public facts have it: never read from the table it checks.
const expected: Record<TransactionStatus, Partial<Record<TransactionCause, string>>> = {
  notSend: {
    operator: "authorized captured denied",
    cancel: "cancel",
    cancelContract: "cancelByContract",
    payOutside: "payExternal",
    waive: "free"
  },
  authorized: { operator: "captured denied", capture: "captured", reverse: "reversed" },
  captured: { reverse: "captured reversed", dispute: "chargeback" },
  denied: {
    operator: "authorized captured denied",
    cancel: "cancel",
    cancelContract: "cancelByContract",
    payOutside: "payExternal",
    waive: "free"
  },
  reversed: {},
  chargeback: {},
  pendingBoleto: {
    settle: "payedBoleto lessValueBoleto moreValueBoleto",
    deny: "notCompensated",
    expire: "notCompensated",
    cancel: "cancel",
    cancelContract: "cancelByContract",
    payOutside: "payExternal",
    waive: "free"
  },
  payedBoleto: { settle: "paidDuplicityBoleto" },
  notCompensated: {},
  lessValueBoleto: { settle: "paidDuplicityBoleto" },
  moreValueBoleto: { settle: "paidDuplicityBoleto" },
  paidDuplicityBoleto: { settle: "paidDuplicityBoleto" },
  pendingPix: {
    settle: "payedPix",
    deny: "unavailablePix",
    expire: "unavailablePix",
    cancel: "cancel",
    cancelContract: "cancelByContract",
    payOutside: "payExternal",
    waive: "free"
  },
  payedPix: {},
  unavailablePix: {},
  cancel: {},
  payExternal: {},
  cancelByContract: {},
  free: {}
}

const causes = [
  "operator",
  "capture",
  "reverse",
  "dispute",
  "settle",
  "deny",
  "expire",
  "cancel",
  "cancelContract",
  "payOutside",
  "waive"
] as const

const pairs = Object.entries(expected).flatMap(([status, row]) =>
  causes.map((cause) => [status as TransactionStatus, cause, row[cause] ?? "nothing"] as const)
)

describe("the transition table of a transaction", () => {
  it("has the interface's nineteen statuses in its order", () => {
    assert.deepStrictEqual([...TransactionStatus.literals], Object.keys(expected))
    assert.strictEqual(TransactionStatus.literals.length, 19)
  })

  it("has eleven causes, each with a description", () => {
    assert.deepStrictEqual(Object.keys(transactionCauses), [...causes])
    assert.isTrue(Object.values(transactionCauses).every((words) => words.length > 10))
  })

  it.each(pairs)("%s, %s: %s", (status, cause, next) => {
    assert.strictEqual(nextStatuses(status, cause).join(" ") || "nothing", next)
  })

  it("has no causes other than those of this table", () => {
    for (const row of Object.values(transactionTransitions)) {
      assert.isTrue(Object.keys(row).every((cause) => (causes as ReadonlyArray<string>).includes(cause)))
    }
  })

  it("has final statuses without causes", () => {
    assert.deepStrictEqual(TransactionStatus.literals.filter(isFinal), [
      "reversed",
      "chargeback",
      "notCompensated",
      "payedPix",
      "unavailablePix",
      "cancel",
      "payExternal",
      "cancelByContract",
      "free"
    ])
  })
})

describe("groups and descriptions of statuses", () => {
  it.each([
    ["open", "notSend pendingBoleto pendingPix"],
    ["authorized", "authorized"],
    ["paid", "captured payedBoleto lessValueBoleto moreValueBoleto paidDuplicityBoleto payedPix payExternal"],
    ["denied", "denied"],
    ["reversed", "reversed"],
    ["disputed", "chargeback"],
    ["void", "notCompensated unavailablePix cancel cancelByContract free"]
  ])("%s: %s", (group, statuses) => {
    const inGroup = TransactionStatus.literals.filter((status) => transactionGroups[status] === group)
    assert.strictEqual(inGroup.join(" "), statuses)
  })

  it("assign a group to all nineteen statuses", () => {
    assert.sameMembers(Object.keys(transactionGroups), [...TransactionStatus.literals])
  })

  it("have a different description for each status", () => {
    assert.sameMembers(Object.keys(statusDescriptions), [...TransactionStatus.literals])
    assert.strictEqual(new Set(Object.values(statusDescriptions)).size, 19)
  })

  it("have an opening status for each method", () => {
    assert.deepStrictEqual(openingStatus, { creditcard: "notSend", boleto: "pendingBoleto", pix: "pendingPix" })
  })
})
