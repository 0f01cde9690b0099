/** What a run measured, on what, and when: enough to compare it with another one, or to see that it cannot be. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, loadavg, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import type { Cold } from "./Cold.ts"
import type { Options } from "./Options.ts"
import type { Row } from "./Report.ts"

export interface About {
  readonly date: string
  readonly commit: string
  /** Cores, model, memory, system. */
  readonly machine: string
  /** Processes that ran or wanted to, on average over the minute before the bench began. */
  readonly load: number
  readonly cores: number
  readonly versions: string
  readonly transactions: ReadonlyArray<number>
  readonly stores: ReadonlyArray<string>
  /** Of each operation at each number of connections. */
  readonly rounds: string
}

export interface Run extends About {
  readonly seconds: number
  /** Operations that were measured in one round, as the run was behind. */
  readonly shortened: number
  readonly cold: ReadonlyArray<Cold>
  readonly rows: ReadonlyArray<Row>
}

const here = fileURLToPath(new URL(".", import.meta.url))

const commit = (): string => {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { cwd: here, encoding: "utf8" }).trim()
  } catch {
    return "unknown"
  }
}

const postgresVersion = async (): Promise<string> => {
  const server = await Postgres.start()
  try {
    const [row] = await Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql<{ server_version: string }>`SHOW server_version`
    }).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(`${server.url}/postgres`), maxConnections: 1 })),
      Effect.runPromise
    )
    return row!.server_version
  } finally {
    await server.stop()
  }
}

const fastifyVersion = (): string => {
  const file = fileURLToPath(import.meta.resolve("fastify/package.json"))
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version
}

const versions = async ({ stores }: Options): Promise<string> =>
  [
    `Node ${process.versions.node}`,
    ...(stores.includes("sqlite") ? [`SQLite ${process.versions.sqlite}`] : []),
    ...(stores.includes("postgres") ? [`PostgreSQL ${await postgresVersion()}`] : []),
    `Fastify ${fastifyVersion()}`
  ].join(", ")

const settingsOf = {
  sqlite: "SQLite file with `synchronous = FULL`",
  postgres: "PostgreSQL with `fsync = on`"
} as const

export const about = async (options: Options): Promise<About> => {
  const [load = 0] = loadavg()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const lengths = options.plans.map(({ rounds, seconds }) => `${rounds} of ${seconds} s`)
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${gigabytes} GiB, ${process.platform} ${process.arch}`,
    load,
    cores: cpus().length,
    versions: await versions(options),
    transactions: options.transactions,
    stores: options.stores.map((store) => settingsOf[store]),
    rounds: [...new Set(lengths)].join("; ")
  }
}

/** The same for people, a line each. */
export const linesOf = (run: Run): ReadonlyArray<string> => [
  `${run.date}, commit \`${run.commit}\`; the run took ${run.seconds} s`,
  `${run.versions}; ${run.stores.join("; ")}`,
  `${run.transactions.map((count) => count.toLocaleString("en")).join(" or ")} transactions at the beginning; rounds of each server: ${run.rounds}${run.shortened === 0 ? "" : `; a third of them for ${run.shortened} operations, as the run was behind`}`,
  `${run.machine}; load average before the run: ${run.load.toFixed(1)}`
]
