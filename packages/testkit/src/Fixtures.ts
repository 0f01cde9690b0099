/**
 * What a company is to have before a test.
 *
 * @since 0.1.0
 */
import type { PlannedFault } from "./Providers.ts"
import type { WebhookEvent } from "./Webhooks.ts"

/**
 * The body of a request, as the service takes it (under its `naming`), with a `myId`, by which it is known again.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fixture {
  readonly myId: string
  readonly [field: string]: unknown
}

/**
 * The content of a file of fixtures. It is made in this order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fixtures {
  /** Where the company's clock goes first: `2027-03-01T00:00:00-03:00`. A clock that is there or further stays. */
  readonly clock?: string
  readonly plans?: ReadonlyArray<Fixture>
  readonly customers?: ReadonlyArray<Fixture>
  readonly manualSubscriptions?: ReadonlyArray<Fixture>
  readonly subscriptions?: ReadonlyArray<Fixture>
  /** Each names its `subscription` by that one's `myId`. */
  readonly payments?: ReadonlyArray<Fixture>
  readonly charges?: ReadonlyArray<Fixture>
  readonly endpoints?: ReadonlyArray<{ readonly url: string; readonly events: ReadonlyArray<WebhookEvent> }>
  readonly faults?: ReadonlyArray<Pick<PlannedFault, "call" | "fault" | "times" | "from" | "until">>
}

/**
 * What became of one of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppliedFixture {
  /** The list that it is in, such as `charges`. */
  readonly kind: string
  readonly name: string
  /** `differs`: something of that name is there, whose `fields` are others, and stays. */
  readonly outcome: "created" | "alreadyThere" | "differs" | "refused"
  readonly fields?: ReadonlyArray<string>
  /** Why it was refused. */
  readonly problem?: string
}
