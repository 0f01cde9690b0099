/**
 * One control of a sandbox on this machine: ask, print.
 *
 * @since 0.1.0
 */
import * as WebhookControlsClient from "@parcela/transport/client/WebhookControlsClient"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { Console, Effect, Option, Ref, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { controls } from "./Connection.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Paint.ts"
import { UsageError } from "./UsageError.ts"

type Client = WebhookControlsClient.WebhookControlsClient

/** Asks the sandbox and prints: with `--json` the answer as it came, else what `show` makes of it. */
export const control = Effect.fn("Control.control")(function* <A, E, R>(
  ask: (client: Client) => Effect.Effect<A, E, R>,
  show: (answer: A, paint: Paint) => string
) {
  const { baseUrl, clientId } = yield* controls
  const body = yield* Ref.make<unknown>(undefined)
  const client = yield* WebhookControlsClient.make(
    { baseUrl, onResponse: (response) => Ref.set(body, response.body) },
    clientId
  )
  const answer = yield* ask(client)
  yield* (yield* Json)
    ? Effect.flatMap(Ref.get(body), (json) => Console.log(JSON.stringify(json, null, 2)))
    : Effect.flatMap(paint, (paint) => Console.log(show(answer, paint)))
})

export const endpointId = Argument.Int("endpoint").pipe(
  Argument.withDescription("The endpoint's number, as parcela endpoints list shows it")
)

/** A flag of a number from 1 up. */
export const number = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withMetavar("number"), Flag.optional)

/** An instant as a list shows it, in UTC to the second. */
export const timeOf = (millis: number | undefined): string =>
  millis === undefined ? "" : `${new Date(millis).toISOString().slice(0, 19)}Z`

const isInstant = Schema.is(EpochMillis)

/** The instant that a flag writes, if it is given. */
export const instant = (name: string, text: Option.Option<string>) => {
  if (Option.isNone(text)) return Effect.succeed(Option.none<EpochMillis>())
  const millis = /T.*(?:Z|[+-]\d\d:\d\d)$/u.test(text.value) ? Date.parse(text.value) : Number.NaN
  return isInstant(millis)
    ? Effect.succeed(Option.some(millis))
    : Effect.fail(
        new UsageError({
          problem: `--${name} is no date and time with a zone`,
          remedy: "It looks like 2026-11-22T10:00:00Z or 2026-11-22T10:00:00-03:00"
        })
      )
}
