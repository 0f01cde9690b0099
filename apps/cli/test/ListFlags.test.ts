import { assert, describe, it } from "@effect/vitest"
import { subscriptionList, transactionList } from "@parcela/core/lists/EntityLists"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { listFlags, queryOf } from "../src/Lists.ts"

/** The query that some arguments ask for. */
const requests = Effect.fnUntraced(function* (
  definition: typeof subscriptionList | typeof transactionList,
  ...args: Array<string>
) {
  let query: unknown
  const list = Command.make("list", listFlags(definition), (given) =>
    Effect.sync(() => {
      query = queryOf(definition, given)
    })
  )
  yield* Command.runWith(list, { version: "0" })(args)
  return query
})

describe("the flags of a list", () => {
  it.effect("are one for each filter by values, and two for each range", () =>
    Effect.gen(function* () {
      const flags =
        "--my-id a,b --my-id c --id 1 --customer-my-id d --customer-id 2 --subscription-my-id e --subscription-id 3"
      const spans = "--payday-from 2026-01-01 --payday-to 2026-01-02 --status-from 2026-01-03 --created-to 2026-01-04"
      const rest = "--status denied --order payday.desc --start-at 5 --limit 7"
      assert.deepStrictEqual(yield* requests(transactionList, ...`${flags} ${spans} ${rest}`.split(" ")), {
        startAt: 5,
        limit: 7,
        myIds: ["a", "b", "c"],
        svcPayIds: [1],
        customerMyIds: ["d"],
        customerSvcPayIds: [2],
        subscriptionMyIds: ["e"],
        subscriptionSvcPayIds: [3],
        status: ["denied"],
        order: [{ field: "payday", direction: "desc" }],
        payDayFrom: "2026-01-01",
        payDayTo: "2026-01-02",
        updateStatusFrom: "2026-01-03",
        createdAtTo: "2026-01-04"
      })
      assert.deepStrictEqual(yield* requests(subscriptionList, "--changed-from", "2026-01-01"), {
        startAt: 0,
        limit: 20,
        createdOrUpdatedAtFrom: "2026-01-01"
      })
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
