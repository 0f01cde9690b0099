/**
 * The tables of a new SQLite database, written by `test/migrations/NewDatabase.test.ts`.
 *
 * @since 0.1.0
 */

/**
 * @category migrations
 * @since 0.1.0
 */
export const newDatabase: ReadonlyArray<string> = [
  `CREATE TABLE sequences (
      name TEXT NOT NULL PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT`,
  `CREATE TABLE companies (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      data TEXT NOT NULL
    , version INTEGER NOT NULL DEFAULT 1, state_version INTEGER NOT NULL DEFAULT 1, clock_offset INTEGER NOT NULL DEFAULT 0 CHECK (clock_offset >= 0), restores INTEGER NOT NULL DEFAULT 0) STRICT`,
  `CREATE TABLE credentials (
      client_id TEXT NOT NULL PRIMARY KEY,
      secret_hash TEXT NOT NULL,
      company_id INTEGER NOT NULL REFERENCES companies (id)
    ) STRICT`,
  `CREATE TABLE access_tokens (
      hash TEXT NOT NULL,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      scopes TEXT NOT NULL,
      expires_at INTEGER NOT NULL, client_id TEXT,
      CONSTRAINT "access_tokens.hash" PRIMARY KEY (hash)
    ) STRICT`,
  `CREATE INDEX access_tokens_expired ON access_tokens (expires_at)`,
  `CREATE TABLE customers (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      my_id TEXT,
      document TEXT NOT NULL,
      data TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, state_version INTEGER NOT NULL DEFAULT 1, "created_at" INTEGER NOT NULL DEFAULT 0, "updated_at" INTEGER NOT NULL DEFAULT 0, "contracts" INTEGER NOT NULL DEFAULT 0, is_active INTEGER NOT NULL DEFAULT 1, standing TEXT GENERATED ALWAYS AS (
      CASE WHEN is_active = 0 THEN 'inactive' WHEN contracts > 0 THEN 'contract' ELSE 'none' END
    ) VIRTUAL,
      CONSTRAINT "customers.id" PRIMARY KEY (id),
      CONSTRAINT "customers.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "customers.my_id" UNIQUE (company_id, my_id),
      CONSTRAINT "customers.document" UNIQUE (company_id, document)
    ) STRICT`,
  `CREATE TABLE cards (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL,
      my_id TEXT,
      customer_id INTEGER NOT NULL,
      data TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, state_version INTEGER NOT NULL DEFAULT 1, vault_token TEXT, status TEXT NOT NULL DEFAULT 'active', is_backup INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL DEFAULT 0,
      CONSTRAINT "cards.id" PRIMARY KEY (id),
      CONSTRAINT "cards.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) STRICT`,
  `CREATE TABLE subscriptions (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL,
      my_id TEXT NOT NULL,
      customer_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      data TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, state_version INTEGER NOT NULL DEFAULT 1, card_id INTEGER, plan_id INTEGER,
      CONSTRAINT "subscriptions.id" PRIMARY KEY (id),
      CONSTRAINT "subscriptions.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "subscriptions.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) STRICT`,
  `CREATE INDEX subscriptions_customer ON subscriptions (company_id, customer_id, id)`,
  `CREATE INDEX subscriptions_status ON subscriptions (company_id, status, id)`,
  `CREATE INDEX subscriptions_created ON subscriptions (company_id, created_at, id)`,
  `CREATE INDEX subscriptions_updated ON subscriptions (company_id, updated_at, id)`,
  `CREATE TABLE deliveries (
      webhook_id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      event TEXT NOT NULL,
      transaction_id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      last_problem TEXT,
      delivered_at INTEGER,
      given_up_at INTEGER
    , endpoint_id INTEGER REFERENCES webhook_endpoints (id), waits_since INTEGER, lease_owner TEXT, lease TEXT, leased_at INTEGER, leased_until INTEGER, state TEXT NOT NULL DEFAULT 'pending'
      CHECK (state = 'pending' OR state = 'delivered' OR state = 'given_up')) STRICT`,
  `CREATE TABLE idempotency_keys (
      company_id INTEGER NOT NULL REFERENCES companies (id),
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      subject TEXT,
      response_status INTEGER,
      response_body TEXT,
      created_at INTEGER NOT NULL,
      CONSTRAINT "idempotency_keys.idempotency_key" PRIMARY KEY (company_id, idempotency_key)
    ) STRICT`,
  `CREATE UNIQUE INDEX "cards.customer_id, cards.vault_token" ON cards (company_id, customer_id, vault_token)`,
  `CREATE TABLE master_key_tag (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      tag TEXT NOT NULL
    ) STRICT`,
  `CREATE TABLE webhook_endpoints (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      url TEXT NOT NULL,
      events TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('on', 'off')),
      off_reason TEXT,
      off_at INTEGER,
      failures INTEGER NOT NULL,
      failing_since INTEGER,
      next_at INTEGER,
      waits_since INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    , is_default INTEGER NOT NULL DEFAULT 1, deleted_at INTEGER, secrets TEXT NOT NULL DEFAULT '[]') STRICT`,
  `CREATE TABLE delivery_tries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      webhook_id INTEGER NOT NULL REFERENCES deliveries (webhook_id),
      started_at INTEGER NOT NULL,
      duration INTEGER NOT NULL,
      status INTEGER,
      problem TEXT
    ) STRICT`,
  `CREATE INDEX delivery_tries_delivery ON delivery_tries (webhook_id, id)`,
  `CREATE UNIQUE INDEX "webhook_endpoints.company_id" ON webhook_endpoints (company_id) WHERE is_default = 1`,
  `CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company_id, id)`,
  `CREATE INDEX deliveries_company ON deliveries (company_id, webhook_id)`,
  `CREATE TABLE webhook_replays (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      filter TEXT NOT NULL,
      after_id INTEGER NOT NULL,
      up_to INTEGER NOT NULL,
      replayed INTEGER NOT NULL,
      is_done INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
  `CREATE TABLE charges (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL,
      my_id TEXT NOT NULL,
      customer_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      data TEXT NOT NULL,
      version INTEGER NOT NULL DEFAULT 1,
      state_version INTEGER NOT NULL DEFAULT 1, card_id INTEGER,
      CONSTRAINT "charges.id" PRIMARY KEY (id),
      CONSTRAINT "charges.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "charges.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) STRICT`,
  `CREATE TABLE "transactions" (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL,
      my_id TEXT NOT NULL,
      subscription_id INTEGER,
      charge_id INTEGER,
      customer_id INTEGER,
      card_id INTEGER,
      status TEXT NOT NULL,
      status_at INTEGER NOT NULL,
      payday TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      data TEXT NOT NULL,
      version INTEGER NOT NULL DEFAULT 1,
      state_version INTEGER NOT NULL DEFAULT 1,
      CONSTRAINT "transactions.id" PRIMARY KEY (id),
      CONSTRAINT "transactions.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "transactions.my_id" UNIQUE (company_id, my_id),
      CONSTRAINT "transactions.owner" CHECK ((subscription_id IS NULL) <> (charge_id IS NULL)),
      FOREIGN KEY (company_id, subscription_id) REFERENCES subscriptions (company_id, id),
      FOREIGN KEY (company_id, charge_id) REFERENCES charges (company_id, id)
    ) STRICT`,
  `CREATE INDEX transactions_subscription ON transactions (company_id, subscription_id, id)`,
  `CREATE INDEX transactions_status ON transactions (company_id, status, id)`,
  `CREATE INDEX transactions_customer ON transactions (company_id, customer_id, id)`,
  `CREATE INDEX transactions_charge ON transactions (company_id, charge_id, id) WHERE charge_id IS NOT NULL`,
  `CREATE TABLE external_references (
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      company_id INTEGER NOT NULL,
      transaction_id INTEGER NOT NULL,
      CONSTRAINT "external_references.value" PRIMARY KEY (kind, value, company_id, transaction_id),
      FOREIGN KEY (company_id, transaction_id) REFERENCES transactions (company_id, id)
    ) STRICT , WITHOUT ROWID`,
  `CREATE INDEX external_references_transaction ON external_references (company_id, transaction_id)`,
  `CREATE INDEX idempotency_keys_old ON idempotency_keys (created_at) WHERE response_status IS NOT NULL`,
  `CREATE INDEX delivery_tries_old ON delivery_tries (started_at)`,
  `CREATE INDEX companies_ahead ON companies (id, clock_offset) WHERE clock_offset > 0`,
  `CREATE TABLE clock_advances (
      company_id INTEGER NOT NULL REFERENCES companies (id),
      target INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      waits_since INTEGER NOT NULL,
      lease_owner TEXT,
      lease TEXT,
      CONSTRAINT "clock_advances.company" PRIMARY KEY (company_id)
    ) STRICT`,
  `CREATE INDEX charges_status ON charges (company_id, status, id)`,
  `CREATE INDEX charges_customer ON charges (company_id, customer_id, id)`,
  `CREATE INDEX charges_created ON charges (company_id, created_at, id)`,
  `CREATE INDEX charges_updated ON charges (company_id, updated_at, id)`,
  `CREATE TABLE charge_tags (
      company_id INTEGER NOT NULL,
      tag TEXT NOT NULL,
      charge_id INTEGER NOT NULL,
      CONSTRAINT "charge_tags.tag" PRIMARY KEY (company_id, tag, charge_id),
      FOREIGN KEY (company_id, charge_id) REFERENCES charges (company_id, id)
    ) STRICT , WITHOUT ROWID`,
  `CREATE INDEX subscriptions_plan ON subscriptions (company_id, plan_id, id)`,
  `CREATE INDEX customers_standing ON customers (company_id, standing, id)`,
  `CREATE INDEX customers_created ON customers (company_id, created_at, id)`,
  `CREATE INDEX customers_updated ON customers (company_id, updated_at, id)`,
  `CREATE TABLE customer_emails (
      company_id INTEGER NOT NULL,
      email TEXT NOT NULL,
      customer_id INTEGER NOT NULL,
      CONSTRAINT "customer_emails.email" PRIMARY KEY (company_id, email, customer_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) STRICT`,
  `CREATE UNIQUE INDEX "cards.id_in_company" ON cards (company_id, id)`,
  `CREATE INDEX cards_customer ON cards (company_id, customer_id, id)`,
  `CREATE INDEX cards_status ON cards (company_id, status, id)`,
  `CREATE INDEX cards_created ON cards (company_id, created_at, id)`,
  `CREATE TABLE plans (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      my_id TEXT,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      version INTEGER NOT NULL DEFAULT 1,
      state_version INTEGER NOT NULL DEFAULT 1,
      data TEXT NOT NULL,
      CONSTRAINT "plans.id" PRIMARY KEY (id),
      CONSTRAINT "plans.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "plans.my_id" UNIQUE (company_id, my_id)
    ) STRICT`,
  `CREATE INDEX plans_status ON plans (company_id, status, id)`,
  `CREATE INDEX plans_created ON plans (company_id, created_at, id)`,
  `CREATE INDEX plans_updated ON plans (company_id, updated_at, id)`,
  `CREATE TABLE named_advances (
      company_id INTEGER NOT NULL REFERENCES companies (id),
      name TEXT NOT NULL,
      target INTEGER NOT NULL,
      CONSTRAINT "named_advances.company" PRIMARY KEY (company_id)
    ) STRICT`,
  `CREATE TABLE incoming_payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      method TEXT NOT NULL,
      payment_id TEXT NOT NULL,
      reference_kind TEXT NOT NULL,
      reference_value TEXT NOT NULL,
      company_id INTEGER REFERENCES companies (id),
      transaction_id INTEGER,
      standing TEXT NOT NULL,
      problem TEXT,
      received_at INTEGER NOT NULL,
      data TEXT NOT NULL,
      differing TEXT,
      CONSTRAINT "incoming_payments.payment_id" UNIQUE (method, payment_id)
    ) STRICT`,
  `CREATE INDEX incoming_payments_company ON incoming_payments (company_id, id)`,
  `CREATE INDEX incoming_payments_open ON incoming_payments (standing, id) WHERE standing <> 'applied'`,
  `CREATE TABLE last_advances (
      company_id INTEGER NOT NULL REFERENCES companies (id),
      name TEXT,
      from_at INTEGER NOT NULL,
      target INTEGER NOT NULL,
      hops INTEGER NOT NULL,
      events_after TEXT, reached INTEGER, events_until TEXT,
      CONSTRAINT "last_advances.company" PRIMARY KEY (company_id)
    ) STRICT`,
  `CREATE TABLE company_snapshots (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      name TEXT NOT NULL,
      layout TEXT NOT NULL,
      clock_offset INTEGER NOT NULL,
      kept_rows INTEGER NOT NULL,
      taken_at INTEGER NOT NULL,
      CONSTRAINT "company_snapshots.name" UNIQUE (company_id, name)
    ) STRICT`,
  `CREATE TABLE snapshot_rows (
      snapshot_id INTEGER NOT NULL,
      table_name TEXT NOT NULL,
      position INTEGER NOT NULL,
      row_data TEXT NOT NULL,
      CONSTRAINT "snapshot_rows.position" PRIMARY KEY (snapshot_id, table_name, position)
    ) STRICT`,
  `CREATE TABLE company_restores (
      company_id INTEGER NOT NULL REFERENCES companies (id),
      snapshot_id INTEGER,
      begun_at INTEGER NOT NULL,
      CONSTRAINT "company_restores.company" PRIMARY KEY (company_id)
    ) STRICT`,
  `CREATE INDEX transactions_status_at ON transactions (company_id, status_at, id, status)`,
  `CREATE INDEX transactions_payday ON transactions (company_id, payday, id, status)`,
  `CREATE INDEX transactions_created ON transactions (company_id, created_at, id, status)`,
  `CREATE TABLE database_identity (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL,
      is_shared INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
  `CREATE TABLE "attempts" (
      id TEXT NOT NULL,
      company_id INTEGER NOT NULL,
      transaction_id INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      business_at INTEGER,
      settled_at INTEGER,
      kind TEXT NOT NULL,
      card_id INTEGER,
      value INTEGER NOT NULL,
      provider TEXT NOT NULL,
      outcome TEXT,
      code TEXT,
      message TEXT,
      merchant_advice_code TEXT,
      reference TEXT,
      CONSTRAINT "attempts.id" PRIMARY KEY (id),
      FOREIGN KEY (company_id, transaction_id) REFERENCES transactions (company_id, id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE "due_work" (
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      company_id INTEGER REFERENCES companies (id),
      clock TEXT NOT NULL DEFAULT 'machine' CHECK (clock IN ('business', 'machine')),
      due_at INTEGER NOT NULL,
      waits_since INTEGER,
      lease_owner TEXT,
      lease TEXT,
      tries INTEGER NOT NULL,
      last_problem TEXT,
      parked_at INTEGER,
      CONSTRAINT "due_work.subject" PRIMARY KEY (kind, subject)
    ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX due_work_due ON due_work (kind, due_at, subject, company_id, parked_at) WHERE parked_at IS NULL`,
  `CREATE INDEX due_work_parked ON due_work (parked_at, kind, subject) WHERE parked_at IS NOT NULL`,
  `CREATE INDEX due_work_company ON due_work (company_id, clock, kind, due_at, subject) WHERE parked_at IS NULL`,
  `CREATE TABLE delivery_payloads (
      webhook_id INTEGER NOT NULL PRIMARY KEY REFERENCES deliveries (webhook_id),
      payload TEXT NOT NULL
    ) STRICT`,
  `CREATE TABLE "journal" (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      at INTEGER NOT NULL,
      business_at INTEGER,
      actor TEXT,
      cause TEXT,
      request_id TEXT,
      events TEXT NOT NULL,
      subjects TEXT
    ) STRICT`,
  `CREATE INDEX journal_company ON journal (company_id, id)`,
  `CREATE INDEX journal_old ON journal (at)`,
  `CREATE INDEX attempts_reference ON attempts (reference) WHERE length(reference) <= 255`,
  `CREATE INDEX transactions_owed_by ON transactions (company_id, customer_id, payday) WHERE status = 'notSend' OR status = 'denied' OR status = 'pendingBoleto' OR status = 'notCompensated' OR status = 'pendingPix' OR status = 'unavailablePix'`,
  `CREATE INDEX transactions_owed_on ON transactions (company_id, payday, customer_id) WHERE status = 'notSend' OR status = 'denied' OR status = 'pendingBoleto' OR status = 'notCompensated' OR status = 'pendingPix' OR status = 'unavailablePix'`,
  `CREATE INDEX attempts_company ON attempts (company_id, id)`,
  `CREATE INDEX "deliveries_lane" ON deliveries (endpoint_id, due_at, webhook_id, transaction_id) WHERE state = 'pending'`,
  `CREATE INDEX "deliveries_of_transaction" ON deliveries (endpoint_id, transaction_id, webhook_id) WHERE state = 'pending'`,
  `CREATE INDEX "deliveries_given_up" ON deliveries (company_id, webhook_id) WHERE state = 'given_up'`,
  `CREATE INDEX "deliveries_dead_of_endpoint" ON deliveries (endpoint_id, webhook_id) WHERE state = 'given_up'`,
  `INSERT INTO sequences VALUES ('replay', 0)`
]
