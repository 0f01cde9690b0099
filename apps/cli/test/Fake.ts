/**
 * The command line in one process: a scripted service or a real one, a captured console, settings and files of one's own.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Deferred, Effect, Exit, Fiber, FileSystem, Layer, Sink, Stdio, Stream, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestConsole } from "effect/testing"
import { main } from "../src/Cli.ts"
import { exitCodes } from "../src/Failure.ts"

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly key: string | undefined
  readonly body: unknown
}

export type Played =
  | readonly [status: number, body: unknown, headers?: Record<string, string>]
  | "refused"
  | "lost"
  | "silent"
  | { readonly code: string }

export interface World {
  readonly play?: (requests: SentRequest) => Played
  /** A transport to a real service, in place of `play`. */
  readonly http?: Layer.Layer<HttpClient.HttpClient>
  readonly env?: Record<string, string>
  readonly stdin?: string
  readonly colour?: boolean
  /** Of the terminal; a pipe has none. */
  readonly columns?: number
  /** True if a line on stderr can be overwritten. */
  readonly animated?: boolean
  /** Ctrl+C is pressed after a request for this. */
  readonly interruptAt?: string
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The progress lines of long work. */
  readonly progress: string
  readonly requests: ReadonlyArray<SentRequest>
}

const service = (play: (requests: SentRequest) => Played, requests: Array<SentRequest>) =>
  HttpClient.make((request, url) => {
    const one: SentRequest = {
      method: request.method,
      url: url.href,
      authorization: request.headers["authorization"],
      key: request.headers["idempotency-key"],
      body: request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : undefined
    }
    const isToken = url.pathname.endsWith("/token")
    if (!isToken) requests.push(one)
    const played: Played = isToken && one.authorization !== undefined ? tokenOr(play(one)) : play(one)
    if (played === "silent") return Effect.never
    if (typeof played === "string" || "code" in played) {
      const code = typeof played === "string" ? (played === "refused" ? "ECONNREFUSED" : "ECONNRESET") : played.code
      const cause = Object.assign(new Error("fetch failed"), { code })
      return Effect.fail(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      )
    }
    return Effect.succeed(
      HttpClientResponse.fromWeb(
        request,
        new Response(JSON.stringify(played[1]), {
          status: played[0],
          ...(played[2] === undefined ? {} : { headers: played[2] })
        })
      )
    )
  })

/** The response to `/token` unless the script has one: a token, or a failure. */
const tokenOr = (played: Played): Played =>
  typeof played !== "string" &&
  !("code" in played) &&
  (played[0] === 401 || (played[1] as { access_token?: unknown }).access_token !== undefined)
    ? played
    : token

export const token: Played = [
  200,
  { access_token: "the-token", token_type: "Bearer", expires_in: 600, scope: "transactions.read" }
]

/** Runs `parcela` with these words. */
export const parcela = (args: ReadonlyArray<string>, world: World = {}) =>
  Effect.gen(function* () {
    const requests: Array<SentRequest> = []
    let progress = ""
    const pressed = yield* Deferred.make<void>()
    const play = (one: SentRequest): Played => {
      if (world.interruptAt !== undefined && one.url.includes(world.interruptAt))
        Deferred.doneUnsafe(pressed, Effect.void)
      return (world.play ?? (() => token))(one)
    }
    const running = yield* Effect.forkChild(
      main(args, Object.keys(world.env ?? {})).pipe(
        Effect.provide([
          world.http ?? Layer.succeed(HttpClient.HttpClient, service(play, requests)),
          ConfigProvider.layer(ConfigProvider.fromEnvRecord(world.env ?? {})),
          Layer.succeed(TerminalCapabilities.TerminalCapabilities, {
            canColor: world.colour ?? false,
            canAnimate: world.animated ?? false,
            canPrompt: false
          } as TerminalCapabilities.TerminalCapabilities),
          Layer.effect(
            Terminal.Terminal,
            Effect.map(Terminal.Terminal, (terminal) =>
              Terminal.Terminal.of({ ...terminal, columns: Effect.succeed(world.columns ?? 0) })
            )
          ),
          Stdio.layerTest({
            stdin: Stream.make(new TextEncoder().encode(world.stdin ?? "")),
            stderr: () => Sink.forEach((text) => Effect.sync(() => (progress += String(text)))),
            stderrIsTerminal: Effect.succeed(true)
          })
        ])
      )
    )
    yield* Effect.raceFirst(Fiber.await(running), Effect.andThen(Deferred.await(pressed), Fiber.interrupt(running)))
    const exit = yield* Fiber.await(running)
    const code = Exit.isSuccess(exit) ? exit.value : exitCodes.interrupted
    const lines = (all: ReadonlyArray<unknown>) => all.map(String).join("\n")
    const ran: Ran = {
      code,
      out: lines(yield* TestConsole.logLines),
      err: lines(yield* TestConsole.errorLines),
      progress,
      requests
    }
    return ran
  }).pipe(Effect.provide([NodeServices.layer, Layer.fresh(TestConsole.layer)]))

/** A file with this text and mode, gone after the test. */
export const file = Effect.fnUntraced(function* (text: string, mode = 0o600) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(path, text)
  yield* fs.chmod(path, mode)
  return path
}, Effect.provide(NodeServices.layer))
