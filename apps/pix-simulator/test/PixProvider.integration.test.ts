import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { PixAccounts } from "@parcela/pix-api/PixAccount"
import * as PixApi from "@parcela/pix-api/PixApi"
import { suite } from "@parcela/provider-tests/PixProviderSuite"
import { Effect, Layer } from "effect"
import { accountAt, startSimulator } from "./fixtures/Process.ts"

// The suite's requests are of March 2026.
const account = Effect.gen(function* () {
  const database = `${yield* temporaryFolder}/pix.db`
  const { url } = yield* startSimulator({
    PARCELA_PIX_DATABASE: database,
    PARCELA_PIX_CLOCK: "2026-03-10T12:00:00Z"
  })
  return PixAccounts.layerOne(accountAt(url))
})

suite(
  "API Pix, a process of its own",
  PixApi.layer().pipe(Layer.provide([Layer.unwrap(account), NodeHttpClient.layerNodeHttp]))
)
