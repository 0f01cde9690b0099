/**
 * The `Idempotency-Key` of a write (IETF draft-ietf-httpapi-idempotency-key-header): the same key with the same
 * command gets the same response, also after a restart; with another command it is a 422; while it runs, a 409.
 *
 * **Details**
 *
 * The key is leased when the request is decoded, by `underKey` in the operation's handler: a request that cannot be
 * decoded writes nothing and needs no key, and what is compared are commands and not bytes. What a write wrote is noted
 * in the transaction that wrote it, so that a repeat after a crash shows it instead of writing it again. Only a success
 * is stored. A refusal wrote nothing: its key is free again. An outcome that is unknown (504) did begin something: the
 * key keeps it, its lease ends, and a repeat joins what is under way.
 *
 * @since 0.1.0
 */
import { nonEmptyString } from "@parcela/core/Text"
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { CurrentKey, type RunningKey } from "@parcela/engine/CurrentKey"
import { IdempotencyKeys, type KeptAnswer } from "@parcela/engine/IdempotencyKeys"
import { Secrets } from "@parcela/engine/Secrets"
import { Settings } from "@parcela/engine/Settings"
import { BadRequest, Conflict, type Unavailable, Unprocessable } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { IdempotentWrite } from "@parcela/transport/Security"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { storeFailures } from "./Refusals.ts"
import { canonical, type Command } from "./CanonicalCommand.ts"

// The one secret that an answer to a write holds is derived again, not kept. JSON never holds a bare control character.
const hashPlace = "\u001fconfirmHash\u001f"

const isKey = Schema.is(nonEmptyString(255))

const textOf = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

interface Replay {
  readonly _tag: "Replay"
  readonly response: HttpServerResponse.HttpServerResponse
}

interface Run {
  readonly _tag: "Run"
  readonly key: RunningKey
}

/** Leases the key of the request that is running for a command, if it came with a key. */
const KeyLease = Context.Reference<
  Option.Option<(command: Command) => Effect.Effect<Replay | Run, Conflict | Unavailable | Unprocessable>>
>("@parcela/server/Idempotency/KeyLease", { defaultValue: Option.none })

/**
 * Runs a write under the request's `Idempotency-Key`, if it has one: at most once for this command, else the response
 * of the first run.
 *
 * @category combinators
 * @since 0.1.0
 */
export const underKey = <A, E, R>(
  command: Command,
  write: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, E | Conflict | Unavailable | Unprocessable, R> =>
  Effect.gen(function* () {
    const lease = yield* KeyLease
    if (Option.isNone(lease)) return yield* write
    const known = yield* lease.value(command)
    return known._tag === "Replay"
      ? known.response
      : yield* Effect.provideService(write, CurrentKey, Option.some(known.key))
  })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<IdempotentWrite, never, IdempotencyKeys | Secrets> = Layer.effect(
  IdempotentWrite,
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const secrets = yield* Secrets
    const { claim } = yield* Settings

    const confirmHash = (companyId: CompanyId) => Effect.map(secrets.confirmHash(companyId), Redacted.value)

    const replayOf = (companyId: CompanyId, { body, status }: KeptAnswer): Effect.Effect<Replay> =>
      Effect.map(confirmHash(companyId), (hash) => ({
        _tag: "Replay",
        response: HttpServerResponse.text(body.replaceAll(hashPlace, hash), {
          status,
          contentType: "application/json",
          headers: { "idempotent-replayed": "true" }
        })
      }))

    const run = Effect.fnUntraced(function* (httpEffect: Parameters<IdempotentWrite["Service"]>[0], key: string) {
      const { companyId } = yield* Caller
      /** The end of the lease, and so its name, once the command is this request's to run. */
      let leasedUntil: EpochMillis | undefined
      let fingerprint: string | undefined

      const lease = Effect.fnUntraced(function* (
        command: Command
      ): Effect.fn.Return<Replay | Run, Conflict | Unavailable | Unprocessable> {
        fingerprint = yield* secrets.hash("command", canonical(command))
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const claimedUntil = EpochMillis.make(now + Duration.toMillis(claim))
        const known = yield* storeFailures(keys.claim({ companyId, key, fingerprint }, now, claimedUntil))
        switch (known._tag) {
          case "Answered":
            return yield* replayOf(companyId, known.answer)
          case "Running":
            return yield* new Conflict({ message: "A request with this Idempotency-Key is still running" })
          case "OtherRequest":
            return yield* new Unprocessable({
              message:
                "This Idempotency-Key was used with another request: use a new key for a new request, " +
                "or repeat the same body under the same key"
            })
          case "Fresh":
          case "Written":
            leasedUntil = claimedUntil
            return {
              _tag: "Run",
              key: { key, written: known._tag === "Written" ? Option.some(known.subject) : Option.none() }
            }
        }
      }, Effect.uninterruptible)

      const store = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
        const body = textOf(response).replaceAll(yield* confirmHash(companyId), hashPlace)
        yield* Effect.orDie(keys.answer(companyId, key, { status: response.status, body }))
      })

      /**
       * What another process has made of the key when the lease ran out under this request, if it has: a refusal that
       * finds what the other one wrote would say that nothing has happened.
       */
      const decidedElsewhere = Effect.gen(function* () {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        if (leasedUntil === undefined || fingerprint === undefined || now < leasedUntil) return undefined
        const claimedUntil = EpochMillis.make(now + Duration.toMillis(claim))
        const faster = new Conflict({
          message: "A request with this Idempotency-Key was faster: repeat it for its response"
        })
        const lookUp = keys.claim({ companyId, key, fingerprint }, now, claimedUntil)
        const known = yield* Effect.mapError(lookUp, () => faster)
        switch (known._tag) {
          case "Answered":
            return (yield* replayOf(companyId, known.answer)).response
          case "Running":
          case "Written":
            return yield* faster
          case "Fresh":
            // Nobody wrote: the refusal stands, and the new lease ends with it.
            leasedUntil = claimedUntil
            return undefined
          case "OtherRequest":
            return undefined
        }
      })

      return yield* httpEffect.pipe(
        Effect.provideService(KeyLease, Option.some(lease)),
        Effect.catch((error) =>
          Effect.flatMap(decidedElsewhere, (response) =>
            response === undefined ? Effect.fail(error) : Effect.succeed(response)
          )
        ),
        Effect.tap((response) => (leasedUntil === undefined ? Effect.void : store(response))),
        Effect.onError(() =>
          leasedUntil === undefined ? Effect.void : Effect.ignore(keys.release(companyId, key, leasedUntil))
        )
      )
    })

    return IdempotentWrite.of((httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (key === undefined) return yield* httpEffect
        if (!isKey(key)) {
          return yield* new BadRequest({
            message: "The Idempotency-Key has a fault",
            details: { "Request.Idempotency-Key": ["must be 1 to 255 characters"] }
          })
        }
        return yield* run(httpEffect, key)
      })
    )
  })
)
