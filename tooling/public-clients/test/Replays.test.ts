/**
 * Replays requests of public code bases against a sandbox with the naming galaxPay: each flow ends as the code expects.
 * The code was read and, where the README says so, run; it is not copied here.
 */
import { aactary } from "./codes/Aactary.ts"
import { ecomplus } from "./codes/Ecomplus.ts"
import { gofas } from "./codes/Gofas.ts"
import { josan } from "./codes/Josan.ts"
import { koonac } from "./codes/Koonac.ts"
import { magento } from "./codes/Magento.ts"
import { others } from "./codes/Others.ts"
import { pedroschmid } from "./codes/Pedroschmid.ts"
import { salviof } from "./codes/Salviof.ts"
import { wilton } from "./codes/Wilton.ts"
import { replay, start } from "./replay/Replay.ts"
import { layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const sandbox = SandboxServer.layer({ naming: galaxPay }).pipe(
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(start)))
)

for (const code of [aactary, ecomplus, gofas, josan, koonac, magento, pedroschmid, salviof, wilton, others]) {
  layer(sandbox)(code.repository, (it) => {
    for (const flow of code.flows) it.effect(flow.name, () => Effect.scoped(replay(code, flow)))
  })
}
