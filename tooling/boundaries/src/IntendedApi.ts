/**
 * Exports of packages that no program of this repository uses, with the reason for each. `PublicApi.ts` refuses an entry
 * whose export is used or does not exist.
 */
import type { Intended } from "./PublicApi.ts"

export const intendedApi: ReadonlyArray<Intended> = [
  {
    reason: "Entities of the interface whose operations are not served yet.",
    exports: {
      "core/boleto/BoletoFile": ["BoletoFile", "Carne"],
      "core/money/Balance": ["BalanceStatement", "Balance", "Release"]
    }
  },
  {
    reason:
      "Decisions of core whose use cases are not there yet (ADR 0030): capture, reversal, the end of a subscription, instalments, the retries that a brand allows.",
    exports: {
      "core/attempts/CardRetryLimits": ["limits", "acquirerLimits"],
      "core/cards/AbecsCode": ["AbecsCode"],
      "core/subscriptions/SubscriptionSchedule": ["periods", "dueDate", "schedule"],
      "core/subscriptions/SubscriptionDecider": ["move"],
      "core/time/BankCalendar": ["fixedHolidays", "movingHolidays", "easter", "holidays", "isBusinessDay"],
      "core/transactions/TransactionAttempts": ["capture"],
      "core/transactions/TransactionReversal": ["reverse"],
      "core/transactions/TransactionSettlement": ["dueOn"]
    }
  },
  {
    reason:
      "Codes and numbers that programs of others read or make: linha digitável, barcode, BR Code, end-to-end id, CPF and CNPJ, card numbers, money.",
    exports: {
      "core/boleto/BankLine": ["toBarcode"],
      "core/boleto/BoletoBarcode": ["partsOf"],
      "core/boleto/DueDateFactor": ["fromFactor"],
      "core/cards/CardBrand": ["binRanges"],
      "core/cards/CardNumber": ["luhnCheckDigit"],
      "core/paymentMethods/CardTerms": ["operatorsOf"],
      "core/customers/Document": ["cpfCheckDigits"],
      "core/money/Cents": ["add", "subtract", "split"],
      "core/pix/PixBrCode": ["parse"],
      "core/pix/PixIdentifiers": ["parse"]
    }
  },
  {
    reason: "Which texts have a translation, for programs that add texts of their own and for tests.",
    exports: { "core/language/Translation": ["inPortuguese"] }
  },
  {
    reason: "An inbox in memory, for tests of receivers.",
    exports: { "webhooks/Inbox": ["layerMemory"] }
  },
  {
    reason: "Injected failures in memory, for tests of programs that compose the simulator.",
    exports: { "provider-simulator/InjectedFailures": ["layerPlan"] }
  },
  {
    reason: "Where a sandbox listens, for test suites that call it by hand.",
    exports: { "sandbox/SandboxServer": ["url"] }
  },
  {
    reason: "One shape of a transaction's state, for programs that read stored states.",
    exports: {
      "core/transactions/CardTransaction": ["CardUnsent", "CardAuthorized", "CardCaptured"],
      "core/transactions/RegisteredTransaction": ["BoletoOpen", "PixOpen"]
    }
  },
  {
    reason:
      "Schemas, limits and middleware of the contracts, for programs that derive a client or a server of their own.",
    exports: {
      "transport/contract/Subscriptions": ["SubscriptionListResponse", "SubscriptionResponse"],
      "transport/contract/Transactions": ["RetryResponse", "TransactionListResponse", "TransactionResponse"],
      "transport/sandbox/ProviderControls": ["maxDelay"],
      "transport/contract/Webhooks": ["WebhooksResponse"],
      "transport/sandbox/EndpointControls": ["maxOverlapSeconds"]
    }
  },
  {
    reason: "A step of a public function that its tests state alone.",
    exports: {
      "core/money/AmountDue": ["lateCharges"],
      "core/pix/PixBrCode": ["crc16"],
      "http/Idempotency": ["canonicalText"],
      "http/UseCaseErrors": ["refusalStatus"],
      "http/documents/Sheet": ["linesOf", "printable"],
      "http/server/KnownPaths": ["familyOperations"],
      "provider-simulator/ServedDatabase": ["staying"],
      "store-sql/commands/PostgresCommandStore": ["rootLocks"],
      "store-sql/commands/SqliteCommandStore": ["runWrite"],
      "store-sql/outbox/AttemptRecords": ["rowOf", "settleRow"],
      "store-sql/tables/Entities": ["versionedState"],
      "store-sql/tables/CompanyTables": ["staying"]
    }
  },
  {
    reason: "Tables, limits and marks that a program shows or compares with.",
    exports: {
      "core/time/Instant": ["earliest"],
      "core/transactions/TransactionStatus": ["isFinal"],
      "core/webhooks/SecretVersion": ["maxValid"],
      "engine/webhooks/Endpoints": ["defaultOverlap", "maxOverlap"]
    }
  },
  {
    reason:
      "An adapter has `layerNoDeps`, `layer`, `layerConfig` and `make`, whichever of them Parcela's own programs take.",
    exports: {
      "provider-simulator/ProviderSimulator": ["layerNoDeps"],
      "provider-simulator/SimulatedCardOperator": ["layer"],
      "provider-simulator/SimulatedPixProvider": ["layer"],
      "sqlite/NodeSqliteClient": ["make", "layerConfig"],
      "store-sql/StoreSql": ["layerNoDeps"]
    }
  },
  {
    reason: "For senders and receivers of others: secrets, the bytes that were signed, where a delivery may go.",
    exports: {
      "webhooks/Receiver": ["layer"],
      "webhooks/Delivery": ["restore"],
      "webhooks/WebhookSecret": ["generate"],
      "webhooks/node/GuardedAgent": ["mayReach"]
    }
  },
  {
    reason: "What is derived from a list's definition, for lists that programs of others define.",
    exports: {
      "core/lists/ListQuery": ["timesOf"]
    }
  }
]
