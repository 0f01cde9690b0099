import { assert, describe, it } from "@effect/vitest"
import { Attempt } from "@parcela/core/attempts/Attempt"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { TransactionState } from "@parcela/core/transactions/TransactionState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { entriesOf } from "@parcela/engine/command/JournalAndDeliveries"
import type { JournalEntry } from "@parcela/engine/ports/Journal"
import { Schema } from "effect"

const at = 1_790_000_000_000

const context = {
  companyId: CompanyId.make(1),
  at: MachineTime.make(at),
  businessAt: BusinessTime.make(at),
  origin: { actor: { _tag: "Service" } }
} as const

const state = Schema.decodeUnknownSync(TransactionState)

const sent = state({
  id: 7,
  companyId: 1,
  owner: { _tag: "Subscription", id: 3 },
  myId: "p",
  value: 1990,
  payday: "2026-09-22",
  installment: 1,
  statusAt: at,
  createdAt: at,
  updatedAt: at,
  method: "creditcard",
  cardId: 5,
  status: "notSend",
  lastSentAt: at,
  pendingAttempt: { attemptId: "a", kind: "charge", value: 1990 }
})

const { pendingAttempt: _, ...free } = { pendingAttempt: undefined, ...sent }

const captured = state({
  ...free,
  // The same JSON, as another object.
  owner: { ...sent.owner },
  status: "captured",
  statusAt: at + 1,
  authorization: { tid: "t", code: "1" }
})

const attempt = Schema.decodeUnknownSync(Attempt)({
  id: "a",
  companyId: 1,
  transactionId: 7,
  kind: "charge",
  cardId: 5,
  value: 1990,
  provider: "cardOperator",
  startedAt: at,
  businessAt: at
})

const change = (before: TransactionState | undefined, next: TransactionState) =>
  ({ table: "transactions", before, next, customerId: SvcPayId.make(2) }) as const

const shown = ({ after, before, events, subject }: JournalEntry) => [
  `${subject.kind} ${subject.id}`,
  events.map(({ _tag }) => _tag),
  before,
  after
]

describe("the journal entries of a decision", () => {
  it("contain the changed fields, with null for absent ones, and no field with equal JSON", () => {
    assert.deepStrictEqual(entriesOf({ changes: [change(sent, captured)], events: [] }, context).map(shown), [
      [
        "transaction 7",
        [],
        {
          status: "notSend",
          statusAt: at,
          pendingAttempt: { attemptId: "a", kind: "charge", value: 1990 },
          authorization: null
        },
        { status: "captured", statusAt: at + 1, pendingAttempt: null, authorization: { tid: "t", code: "1" } }
      ]
    ])
  })

  it("contain the whole state of new entities, and the attempts that start and end, in this order", () => {
    const result = { outcome: "captured", reference: "t", at: MachineTime.make(at + 1) } as const
    const events = [{ _tag: "TransactionSent", transactionId: sent.id, attemptId: attempt.id } as const]
    const settled = [{ ...attempt, result }]
    assert.deepStrictEqual(
      entriesOf({ changes: [change(undefined, sent)], events, started: [attempt] }, context).map(shown),
      [
        ["transaction 7", ["TransactionSent"], undefined, sent],
        ["attempt a", [], undefined, attempt]
      ]
    )
    const [ended] = entriesOf({ changes: [], events: [], settled }, context)
    assert.deepStrictEqual(shown(ended!), ["attempt a", [], { result: null }, { result }])
    assert.deepStrictEqual(ended?.origin?.cause, { _tag: "ProviderOutcome", attemptId: attempt.id })
  })

  it("do not exist for an unchanged entity without events", () => {
    assert.deepStrictEqual(entriesOf({ changes: [change(sent, { ...sent })], events: [] }, context), [])
  })
})
