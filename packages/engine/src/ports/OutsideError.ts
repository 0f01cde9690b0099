/**
 * Somebody outside (operator, bank, Pix provider) did not answer, or not in time. What they did is unknown.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @category errors
 * @since 0.1.0
 */
export class OutsideError extends Schema.TaggedError<OutsideError>()("OutsideError", {
  party: Schema.Literals(["card operator", "boleto bank", "Pix provider"]),
  cause: Schema.Defect()
}) {
  override get message() {
    return `The ${this.party} did not answer: what became of the request is unknown`
  }
}
