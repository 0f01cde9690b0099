import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, type Redacted, type Stream } from "effect"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import type { ClientOf } from "../../src/client/ClientOf.ts"
import type { ParcelaOperations } from "../../src/client/ParcelaOperations.ts"
import { Operations } from "../../src/Contract.ts"
import { operationsOf } from "../../src/client/Operation.ts"
import * as FakeHttp from "./FakeHttp.ts"

/** A type with expanded interfaces, intersections and mapped types. */
type Spelled<T> = T extends Duration.Duration | string | number | boolean
  ? T
  : T extends Redacted.Redacted<infer A>
    ? { readonly secret: A }
    : T extends Effect.Effect<infer A, infer E, infer R>
      ? { readonly success: Spelled<A>; readonly error: E; readonly needs: R }
      : T extends Stream.Stream<infer A, infer E, infer R>
        ? { readonly item: Spelled<A>; readonly error: E; readonly needs: R }
        : T extends (...args: infer Args) => infer Result
          ? { readonly args: Arguments<Args>; readonly counts: Args["length"]; readonly result: Spelled<Result> }
          : T extends object
            ? { [Key in keyof T]: Spelled<T[Key]> }
            : T

/** An optional argument may be undefined, which a spread tuple does not show. */
type Arguments<Args extends ReadonlyArray<unknown>> = {
  [Place in keyof Args]-?: Spelled<Exclude<Args[Place], undefined>>
}

/** True if two types are equal, including optional and read-only keys. */
type IsEqual<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type GroupsOf<Api> = Api extends HttpApi.HttpApi<infer _, infer Groups extends HttpApiGroup.Constraint> ? Groups : never

type Derived = ClientOf<GroupsOf<typeof Operations>, "lenient">

const proof = <_T extends true>() => {}

describe("ParcelaOperations", () => {
  it("are the types of the contract", () => {
    proof<IsEqual<Spelled<Derived>, Spelled<ParcelaOperations>>>()
    // The proof above must not hold for different types.
    proof<IsEqual<IsEqual<Spelled<Derived>, Spelled<Omit<ParcelaOperations, "webhooks">>>, false>>()
    proof<IsEqual<IsEqual<{ readonly a?: string }, { readonly a: string }>, false>>()
    proof<IsEqual<IsEqual<{ readonly a?: string }, {}>, false>>()
  })

  it.effect("are the methods of the client, one for each operation of the contract", () =>
    Effect.gen(function* () {
      const client: object = yield* FakeHttp.using(
        FakeHttp.make(() => "silent"),
        Effect.succeed
      )
      const methods = Object.entries(client).flatMap(([group, members]: readonly [string, object]) =>
        Object.keys(members).map((method) => `${group}.${method}`)
      )
      for (const { name } of operationsOf(Operations)) assert.include(methods, name)
      assert.includeMembers(methods, ["transactions.listAll", "transactions.listPages", "subscriptions.listAll"])
    })
  )
})
