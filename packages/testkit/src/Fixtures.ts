/**
 * Entities of a company that exist before a test.
 *
 * @since 0.1.0
 */
import type { PlannedFault } from "./Providers.ts"
import type { WebhookEvent } from "./Webhooks.ts"

/**
 * The body of a request in the naming profile of the service. Its `myId` identifies the entity.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fixture {
  readonly myId: string
  readonly [field: string]: unknown
}

/**
 * The content of a fixtures file. Entities are created in this order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fixtures {
  /** Time to which the company's clock is advanced first: `2027-03-01T00:00:00-03:00`. A later clock stays unchanged. */
  readonly clock?: string
  readonly plans?: ReadonlyArray<Fixture>
  readonly customers?: ReadonlyArray<Fixture>
  readonly manualSubscriptions?: ReadonlyArray<Fixture>
  readonly subscriptions?: ReadonlyArray<Fixture>
  /** Each has the `myId` of its `subscription`. */
  readonly payments?: ReadonlyArray<Fixture>
  readonly charges?: ReadonlyArray<Fixture>
  readonly endpoints?: ReadonlyArray<{ readonly url: string; readonly events: ReadonlyArray<WebhookEvent> }>
  readonly faults?: ReadonlyArray<Pick<PlannedFault, "call" | "fault" | "times" | "from" | "until">>
}

/**
 * The result for one entity of a fixtures file.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppliedFixture {
  /** The list of the entity, such as `charges`. */
  readonly kind: string
  readonly name: string
  /** `differs`: an entity with that name exists with other values of `fields`, and stays unchanged. */
  readonly outcome: "created" | "alreadyThere" | "differs" | "refused"
  readonly fields?: ReadonlyArray<string>
  /** The reason for a refusal. */
  readonly problem?: string
}
