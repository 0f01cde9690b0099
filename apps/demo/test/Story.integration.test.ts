import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { tell } from "../src/Story.ts"
import * as Timeline from "../src/Timeline.ts"

/** What a line says, without its time and what is made by chance. */
const gist = ({ mark, status, what, who }: Timeline.Entry): string =>
  [who, what, who === "client" ? mark : "", status].filter((part) => part !== "").join(" ")

const databases = [
  { name: "on a SQLite file", database: Effect.succeed(undefined) },
  { name: "on PostgreSQL", database: newDatabase }
]

it.live.each(databases)(
  "tells the story $name: denied, retried to captured, a boleto and a Pix opened, and every event received once",
  ({ database }) =>
    Effect.gen(function* () {
      const timeline = yield* Timeline.make(() => Effect.void)
      const place = yield* database
      const shown = yield* tell(timeline, place === undefined ? {} : { database: place })
      const entries = yield* timeline.entries

      assert.deepStrictEqual(entries.filter(({ who }) => who === "client").map(gist), [
        "client POST /v2/token 200 Bearer",
        "client PUT  /v2/webhooks 200 2 events on",
        "client POST /v2/subscriptions/manual 200 active",
        "client POST /v2/transactions/course-card/myId/add 200 denied",
        "client PUT  /v2/transactions/card-1/myId/retry 200 captured",
        "client POST /v2/subscriptions/manual 200 active",
        "client POST /v2/subscriptions/manual 200 active",
        "client POST /v2/transactions/course-boleto/myId/add 200 pendingBoleto",
        "client POST /v2/transactions/course-pix/myId/add 200 pendingPix"
      ])
      // First tries of one transaction leave in order; transactions do not wait for one another.
      const received = entries.filter(({ who }) => who === "receiver").map(gist)
      const ofCard = ["notSend", "denied", "captured"]
      assert.deepStrictEqual(
        received.filter((event) => ofCard.some((status) => event.endsWith(status))),
        [
          "receiver subscription.addTransaction notSend",
          "receiver transaction.updateStatus denied",
          "receiver transaction.updateStatus captured"
        ]
      )
      assert.sameMembers(
        received.filter((event) => !ofCard.some((status) => event.endsWith(status))),
        ["receiver subscription.addTransaction pendingBoleto", "receiver subscription.addTransaction pendingPix"]
      )
      assert.match(shown.bankLine, /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
      assert.match(shown.qrCode ?? "", /^000201.*6304[0-9A-F]{4}$/)
    }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])),
  60_000
)
