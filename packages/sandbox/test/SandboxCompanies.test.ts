import { assert, describe, it } from "@effect/vitest"
import { Companies } from "@parcela/engine/ports/Companies"
import { DeliverySignal } from "@parcela/engine/ports/DeliverySignal"
import { Commands } from "@parcela/engine/command/Command"
import { LeaseOwner } from "@parcela/engine/command/LeaseOwner"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { MasterKey, Secrets } from "@parcela/engine/authentication/Secrets"
import { type ClientIdTaken, SandboxCompanies } from "@parcela/sandbox/SandboxCompanies"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type TestStore, twoOnOneDatabase } from "@parcela/tooling-postgres/Stores"
import { Deferred, Effect, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"

const clientId = "race"

/** Blocks callers until `count` have arrived. */
const barrier = Effect.fnUntraced(function* (count: number) {
  const all = yield* Deferred.make<void>()
  let there = 0
  return Effect.suspend(() => (++there < count ? Deferred.await(all) : Effect.asVoid(Deferred.succeed(all, undefined))))
})

/** A server's companies; what it looks up first it acts on only once the other has looked too. */
const server = (store: TestStore, meet: Effect.Effect<void>) => {
  const slow = Layer.effect(
    Companies,
    Effect.map(Companies, (companies) =>
      Companies.of({
        ...companies,
        findCredential: (id) => Effect.tap(companies.findCredential(id), () => meet)
      })
    )
  )
  const secrets = Secrets.layer.pipe(
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provide(NodeCrypto.layer)
  )
  const management = EndpointManagement.layer.pipe(
    Layer.provide(Commands.layer),
    Layer.provide(Layer.mergeAll(DeliverySignal.layer, LeaseOwner.layer))
  )
  return SandboxCompanies.layer.pipe(
    Layer.provide(management),
    Layer.provideMerge(slow),
    Layer.provideMerge(secrets),
    Layer.provideMerge(store)
  )
}

/** The results of two servers on one PostgreSQL database that both found no company with the client id. */
const atOnce = <A, E>(ask: (companies: SandboxCompanies["Service"], secret: string) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { first, second } = yield* twoOnOneDatabase("PostgreSQL")
    const meet = yield* barrier(2)
    const open = (store: TestStore) => Layer.build(server(store, meet))
    // One after the other: the first makes the tables.
    const servers = [yield* open(first), yield* open(second!)]
    const results = yield* Effect.all(
      servers.map((context, index) =>
        Effect.result(
          SandboxCompanies.use((companies) => ask(companies, `secret ${index}`)).pipe(Effect.provide(context))
        )
      ),
      { concurrency: "unbounded" }
    )
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const companies = yield* sql<{ id: number }>`SELECT id FROM companies`
      const { secretHash } = Option.getOrThrow(yield* Companies.use((port) => port.findCredential(clientId)))
      const isStored = (secret: string) =>
        Effect.flatMap(Secrets, (secrets) => secrets.matches("client secret", secret, secretHash))
      return { results, companies, kept: [yield* isStored("secret 0"), yield* isStored("secret 1")] }
    }).pipe(Effect.provide(servers[0]!))
  })

const company = (secret: string) => ({ name: "Race", clientId, clientSecret: Redacted.make(secret) })

describe("a company that two servers on one PostgreSQL database create concurrently", () => {
  it.effect("is created once, with the secret of the first request, and the other request is refused", () =>
    Effect.gen(function* () {
      const { companies, kept, results } = yield* atOnce((companies, secret) => companies.create(company(secret)))
      assert.lengthOf(companies, 1)
      assert.lengthOf(results.filter(Result.isSuccess), 1)
      const refusals = results.filter(Result.isFailure).map(({ failure }) => failure as ClientIdTaken)
      assert.deepStrictEqual(
        refusals.map(({ message }) => message),
        ['"race" is already in use']
      )
      assert.deepStrictEqual(kept, results.map(Result.isSuccess))
    })
  )

  it.effect("is the same for both if it is the default company", () =>
    Effect.gen(function* () {
      const { companies, kept, results } = yield* atOnce((companies, secret) => companies.ensure(company(secret)))
      assert.lengthOf(companies, 1)
      const ids = results.map((result) => Result.getOrThrow(result).companyId)
      assert.deepStrictEqual(new Set(ids).size, 1)
      assert.lengthOf(
        kept.filter((holds) => holds),
        1
      )
    })
  )
})
