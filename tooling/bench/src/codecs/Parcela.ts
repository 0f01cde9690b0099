/** Parcela's own schema. Whether it is compiled is decided by what was imported before this module. */
import { reader } from "@parcela/core/json/Reading"
import { Subscription } from "@parcela/core/subscriptions/Subscription"
import * as Schema from "effect/Schema"
import type { Contender } from "./Contender.ts"

export const parcela: Contender = {
  decode: Schema.decodeUnknownSync(Subscription),
  encode: Schema.encodeSync(Subscription)
}

const read = reader(Subscription, "Subscription")

/** Reads leniently instead; it refuses nothing, so only its speed is compared. */
export const lenient: Contender = { decode: (json) => read(json).value, encode: (value) => value }
