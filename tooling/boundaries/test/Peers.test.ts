import { assert, describe, it } from "@effect/vitest"
import { missingPeers } from "../src/Peers.ts"

describe("the peers of packages", () => {
  const webhooks = { name: "webhooks", peerDependencies: { effect: "~4.1.0", undici: "^8.0.0" } }

  it("are complained about where the root does not depend on them", () => {
    const [complaint = "", ...others] = missingPeers({ name: "root", dependencies: { effect: "~4.1.0" } }, [webhooks])
    assert.include(complaint, "undici, a peer of webhooks")
    assert.deepStrictEqual(others, [])
  })

  it("are installed with the programs where it does", () => {
    const root = { name: "root", dependencies: { effect: "~4.1.0", undici: "^8.0.0" } }
    assert.deepStrictEqual(missingPeers(root, [webhooks, { name: "core" }]), [])
  })
})
