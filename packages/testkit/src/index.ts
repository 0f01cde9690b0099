/**
 * A billing sandbox for tests, with promises.
 *
 * @since 0.1.0
 */
export * from "./Clock.ts"
export * from "./Company.ts"
export * from "./Events.ts"
export * from "./Fixtures.ts"
export * from "./Payments.ts"
export * from "./Providers.ts"
export * from "./Sandbox.ts"
export * from "./SandboxError.ts"
export * from "./StartSandbox.ts"
export * from "./Webhooks.ts"
