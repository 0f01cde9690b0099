/**
 * The receiver put together: settings, database, inbox, server.
 *
 * @since 0.1.0
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { makeNodeServer } from "@parcela/node-server/NodeServer"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Inbox } from "@parcela/webhooks/Inbox"
import * as InboxWorker from "@parcela/webhooks/InboxWorker"
import * as Receiver from "@parcela/webhooks/Receiver"
import { defaultMaximumBytes } from "@parcela/webhooks/Receiver"
import { defaultTolerance } from "@parcela/webhooks/Signature"
import * as InboxMigrations from "@parcela/webhooks/sql/InboxMigrations"
import * as InboxSql from "@parcela/webhooks/sql/InboxSql"
import { wrapped } from "@parcela/core/language/Wrapping"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
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

/** The receiver cannot start; the message names the setting to change. */
export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  setting: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.setting}: ${this.problem}`
  }
}

/** The running receiver: it serves as long as the layer lives. */
export const layer = (output: Output): Layer.Layer<never, StartError | Settings.SettingsError> =>
  Layer.unwrap(
    Effect.map(Effect.provide(Settings.read, NodeFileSystem.layer), (settings) => {
      const inbox = InboxSql.layer.pipe(
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
        Layer.provideMerge(stopping),
        Layer.provide(announcerLayer(settings, output))
      )
    })
  )

/** Says that a stop has begun; what is built on it has ended when it says that too. */
class Stopping extends Context.Service<Stopping, { readonly begin: Effect.Effect<void> }>()(
  "@parcela/webhook-receiver-app/Stopping"
) {}

const stopping = Layer.effect(
  Stopping,
  Effect.gen(function* () {
    const { note } = yield* Announcer
    let hasBegun = false
    yield* Effect.addFinalizer(() => (hasBegun ? note("Stopped") : Effect.void))
    return Stopping.of({
      begin: Effect.suspend(() => {
        hasBegun = true
        return note("Stopping: what arrives is finished, and what is stored is printed")
      })
    })
  })
)

const listening = (settings: Settings.Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const announcer = yield* Announcer
      const clock = yield* Clock.Clock
      const each = settings.maximumBytes
      const server = makeNodeServer({
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
        handle: yield* makeHandle,
        // Sixteen bodies of the largest size by default, and two of any other.
        bodies: { each, bytes: Math.max(16 * defaultMaximumBytes, 2 * each) },
        // A sender has the time of a request to get its last response.
        finishing: 30_000,
        onRefused: ({ message, status }) => Effect.runSync(announcer.refused(status, message))
      })
      return NodeHttpServer.layerServer(() => server, {
        host: settings.host,
        port: settings.port,
        gracefulShutdownTimeout: "10 seconds"
      })
    })
  ).pipe(Layer.catch((error) => failing(explain(error, settings))))

/**
 * Prints what the inbox holds, also what an earlier process stored and did not come to print. When it ends, what is due is
 * printed first, for a few seconds.
 */
const printing = ({ naming }: Settings.Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { handled } = yield* Announcer
      const inbox = yield* Inbox
      // The lock is this process's, so every lease is that of a process that is gone.
      yield* Effect.mapError(inbox.release, (error) => unusable(error.cause))
      const worker = InboxWorker.layer({ handle: handled, naming, concurrency: printedAtOnce })
      return Layer.effectDiscard(
        Effect.gen(function* () {
          const { idle } = yield* InboxWorker.InboxWorker
          yield* Effect.addFinalizer(() => Effect.timeoutOption(idle, "5 seconds"))
        })
      ).pipe(Layer.provideMerge(worker))
    })
  )

// A line takes no time, a mark in the database does: so many lines share one.
const printedAtOnce = 256

/** Names and what they mean, with a column for each. */
const named = (name: string, value: string, columns: number): string =>
  `  ${name.padEnd(10)}  ${wrapped(value, columns - 14).join(`\n${" ".repeat(14)}`)}`

const serve = (settings: Settings.Settings, { columns }: Output) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* HttpServer.serveEffect(app(settings.maximumBytes))
      const { begin } = yield* Stopping
      yield* Effect.addFinalizer(() => begin)
      const { note } = yield* Announcer
      const tell = (name: string, value: string) => note(named(name, value, columns()))
      const { address } = yield* HttpServer.HttpServer
      yield* note("Parcela webhook receiver")
      yield* tell("listens at", `${HttpServer.formatAddress(address)} (POST on any path, GET /health)`)
      yield* tell("remembers", `in ${settings.database}`)
      yield* tell(
        "checks",
        `signature and confirmHash (${counted(settings.senders.length, "sender")}), at most ` +
          `${Duration.toMinutes(defaultTolerance)} minutes old, and that each sender's webhookId is new`
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
        problem: `port ${port} of ${host} is taken: choose another, or stop the program that has it`
      })
    case "EACCES":
      return new StartError({
        setting: "PARCELA_RECEIVER_PORT",
        problem: `port ${port} may not be used by this user: choose one above 1023`
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError({
        setting: "PARCELA_RECEIVER_HOST",
        problem: `${host} is no address of this machine: 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses`
      })
    default:
      return new StartError({
        setting: "PARCELA_RECEIVER_HOST, PARCELA_RECEIVER_PORT",
        problem: `cannot listen at ${host}, port ${port} (${messageOf(cause)})`
      })
  }
}
