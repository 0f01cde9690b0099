/**
 * Common flags of subscriptions and charges: the plan, and extra fields.
 *
 * @since 0.1.0
 */
import type { ExtraField } from "@parcela/core/values/Fields"
import { type Command, Flag } from "effect/cli"
import { key, keys, many, text } from "./Flags.ts"

export const planFlags = {
  plan: text("plan", "Its plan, by your identifier", "id"),
  planId: Flag.Int("plan-id").pipe(Flag.withDescription("Its plan, by the service's identifier"), Flag.optional)
}

export const planOf = ({ plan, planId }: Command.Command.Config.Infer<typeof planFlags>) => ({
  ...key("planMyId", plan),
  ...key("planSvcPayId", planId)
})

export const extraFieldFlags = {
  extraField: many("extra-field", "A field of your own, which lists find", "name=value")
}

export const extraFieldsOf = ({ extraField }: Command.Command.Config.Infer<typeof extraFieldFlags>) =>
  keys("ExtraFields", extraField.map(fieldOf))

/** Parses `name=value`. Without an equals sign the value is missing, which the request's validation reports. */
const fieldOf = (text: string): Partial<ExtraField> => {
  const at = text.indexOf("=")
  return at === -1 ? { tagName: text } : { tagName: text.slice(0, at), tagValue: text.slice(at + 1) }
}
