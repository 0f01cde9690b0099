/**
 * The error of a provider (card operator, boleto bank, Pix provider) that did not respond in time. The outcome of the
 * request is unknown.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @category errors
 * @since 0.1.0
 */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  provider: Schema.Literals(["card operator", "boleto bank", "Pix provider", "boleto bank or Pix provider"]),
  cause: Schema.Defect()
}) {
  override get message() {
    return `The ${this.provider} did not respond: what became of the request is unknown`
  }
}
