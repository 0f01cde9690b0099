import { assert, layer } from "@effect/vitest"
import { CardBrandId } from "@parcela/core/cards/CardBrand"
import { operationExamples } from "@parcela/transport/Contract"
import { Effect } from "effect"
import { server, signIn } from "@parcela/test-world/Server"

layer(server())("GET /card-brands", (it) => {
  it.effect("lists every brand that a card can have, as documented, with any query", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const query of ["", "?startAt=0&limit=100"]) {
        const { json, status } = yield* call("GET", `/v2/card-brands${query}`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json, operationExamples.get("listCardBrands")?.response)
        assert.sameMembers(
          json.CardBrands.map(({ id }: { readonly id: string }) => id),
          [...CardBrandId.literals]
        )
      }
    })
  )
})
