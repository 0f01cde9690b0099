/**
 * The receiver as one layer: settings, database, inbox, server.
 *
 * @since 0.1.0
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { wrapped } from "@parcela/core/language/Wrapping"
import { makeNodeServer } from "@parcela/node-server/NodeServer"
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Inbox } from "@parcela/webhooks/Inbox"
import * as InboxWorker from "@parcela/webhooks/InboxWorker"
import * as Receiver from "@parcela/webhooks/Receiver"
import { defaultTolerance } from "@parcela/webhooks/Signature"
import * as InboxMigrations from "@parcela/webhooks/sql/InboxMigrations"
import * as InboxSql from "@parcela/webhooks/sql/InboxSql"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Announcer, layer as announcerLayer, type Output } from "./Announcer.ts"
import { app, makeHandle } from "./ReceiverHttp.ts"
import * as Settings from "./Settings.ts"

/** The receiver cannot start. The message names the setting to change. */
export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  setting: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.setting}: ${this.problem}`
  }
}

/** The layer. The receiver runs until the layer is closed. */
export const layer = (output: Output): Layer.Layer<never, StartError | Settings.SettingsError> =>
  Layer.unwrap(
    Effect.map(Effect.provide(Settings.read, NodeFileSystem.layer), (settings) => {
      const inbox = InboxSql.layer.pipe(
        Layer.provide(DatabaseMigrator.layer(InboxMigrations)),
        Layer.provide(
          NodeSqliteClient.layer({ filename: settings.database, exclusive: true, ownTable: InboxMigrations.table })
        ),
        Layer.catch((error) => failing(unusable(error._tag === "InboxError" ? error.cause : error)))
      )
      return serve(settings, output).pipe(
        Layer.provide(listening(settings)),
        Layer.provide(Receiver.layerWithWorker(settings)),
        Layer.provide(printing(settings)),
        Layer.provide([inbox, NodeCrypto.layerMac]),
        Layer.provide(announcerLayer(settings, output))
      )
    })
  )

/** Maximum duration of requests after the receiver starts to stop. */
const timeToFinish: Duration.Duration = Duration.seconds(10)

const listening = (settings: Settings.Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const announcer = yield* Announcer
      const clock = yield* Clock.Clock
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const each = settings.maximumBytes
      const server = makeNodeServer({
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
        handle: yield* makeHandle,
        // Sixteen bodies of the default maximum size, and at least two of a larger one.
        bodies: { each, bytes: Math.max(16 * Receiver.defaultMaximumBytes, 2 * each) },
        finishing: Duration.toMillis(timeToFinish),
        onRefused: ({ message, status }) => void run(announcer.refused(status, message)),
        onFault: (fault) => void run(Effect.logError("A response could not be written", fault))
      })
      return NodeHttpServer.layerServer(() => server, {
        host: settings.host,
        port: settings.port,
        gracefulShutdownTimeout: timeToFinish
      })
    })
  ).pipe(Layer.catch((error) => failing(explain(error, settings))))

/**
 * Prints the deliveries of the inbox, including those that an earlier process stored and did not print. The end of the
 * layer waits a few seconds until all are printed.
 */
const printing = ({ naming }: Settings.Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { handled } = yield* Announcer
      const inbox = yield* Inbox
      // The database is locked by this process, so every lease belongs to a process that has ended.
      yield* Effect.mapError(inbox.release, (error) => unusable(error.cause))
      const worker = InboxWorker.layer({ handle: handled, naming, concurrency: maxPrinting })
      return Layer.effectDiscard(
        Effect.gen(function* () {
          const { idle } = yield* InboxWorker.InboxWorker
          yield* Effect.addFinalizer(() => Effect.timeoutOption(idle, "5 seconds"))
        })
      ).pipe(Layer.provideMerge(worker))
    })
  )

/** Deliveries that are printed at once. They share a commit that marks them as done, which takes longer than a line. */
const maxPrinting = 256

/** A line with a name and a value in two columns. */
const named = (name: string, value: string, columns: number): string =>
  `  ${name.padEnd(10)}  ${wrapped(value, columns - 14).join(`\n${" ".repeat(14)}`)}`

const serve = (settings: Settings.Settings, { columns }: Output) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* HttpServer.serveEffect(app(settings.maximumBytes))
      const { note, stopping } = yield* Announcer
      yield* Effect.addFinalizer(() => stopping)
      const noteNamed = (name: string, value: string) => note(named(name, value, columns()))
      const { address } = yield* HttpServer.HttpServer
      yield* note("Parcela webhook receiver")
      yield* noteNamed("listens at", `${HttpServer.formatAddress(address)} (POST on any path, GET /health)`)
      yield* noteNamed("database", settings.database)
      yield* noteNamed(
        "checks",
        `signature and confirmHash (${counted(settings.senders.length, "sender")}), an age of at most ` +
          `${Duration.toMinutes(defaultTolerance)} minutes, and that each sender's webhookId is new`
      )
    })
  )

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const unusable = (error: unknown): StartError =>
  new StartError({ setting: "PARCELA_RECEIVER_DATABASE", problem: messageOf(error) })

const failing = <A>(error: StartError): Layer.Layer<A, StartError> => Layer.effectContext(Effect.fail(error))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const explain = ({ cause }: ServeError, { host, port }: Settings.Settings): StartError => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return new StartError({
        setting: "PARCELA_RECEIVER_PORT",
        problem: `port ${port} of ${host} is in use: choose another port, or stop the program that uses it`
      })
    case "EACCES":
      return new StartError({
        setting: "PARCELA_RECEIVER_PORT",
        problem: `this user may not use port ${port}: choose a port above 1023`
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError({
        setting: "PARCELA_RECEIVER_HOST",
        problem: `${host} is not an address of this machine: use 127.0.0.1 for this machine alone, 0.0.0.0 for all its addresses`
      })
    default:
      return new StartError({
        setting: "PARCELA_RECEIVER_HOST, PARCELA_RECEIVER_PORT",
        problem: `cannot listen at ${host}, port ${port} (${messageOf(cause)})`
      })
  }
}
