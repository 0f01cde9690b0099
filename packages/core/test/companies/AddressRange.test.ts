import { assert, describe, it } from "@effect/vitest"
import { addressRange, canonicalAddress, isWithin } from "../../src/companies/AddressRange.ts"

describe("addressRange", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2600::1", "public"],
    ["[2600::1]", "public"],
    ["::ffff:8.8.8.8", "public"],
    ["127.0.0.1", "private"],
    ["127.9.9.9", "private"],
    ["::1", "private"],
    ["::ffff:127.0.0.1", "private"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd00:ec2::253", "private"],
    ["64:ff9b::10.0.0.1", "private"],
    ["2002:7f00:1::", "private"],
    ["::10.0.0.1", "private"],
    ["169.254.169.254", "never"],
    ["::ffff:169.254.169.254", "never"],
    ["fe80::1", "never"],
    ["0.0.0.0", "never"],
    ["::", "never"],
    ["239.1.1.1", "never"],
    ["255.255.255.255", "never"],
    ["fd00:ec2::254", "never"],
    ["[FD00:0EC2::254]", "never"],
    ["100.100.100.200", "never"],
    ["::ffff:100.100.100.200", "never"],
    ["168.63.129.16", "never"]
  ] as const)("of %s is %s", (address, range) => {
    assert.strictEqual(addressRange(address), range)
  })

  it.each(["hooks.example.com", "", "1.2.3", "localhost", "12345"])(
    "returns undefined for %j, which is not an address",
    (text) => {
      assert.isUndefined(addressRange(text))
    }
  )
})

describe("isWithin", () => {
  it("matches addresses and networks of both IP versions", () => {
    assert.isTrue(isWithin("10.1.2.3", ["10.0.0.0/8"]))
    assert.isTrue(isWithin("::ffff:10.1.2.3", ["10.1.2.3"]))
    assert.isTrue(isWithin("fd00::7", ["fd00::/8"]))
    assert.isFalse(isWithin("11.1.2.3", ["10.0.0.0/8", "fd00::/8"]))
    assert.isFalse(isWithin("10.1.2.3", []))
  })

  it("treats an IPv4-mapped IPv6 network as the IPv4 network", () => {
    assert.isTrue(isWithin("10.1.2.3", ["::ffff:10.0.0.0/104"]))
    assert.isTrue(isWithin("10.1.2.3", ["::ffff:10.1.2.3"]))
    assert.isFalse(isWithin("11.1.2.3", ["::ffff:10.0.0.0/104"]))
  })

  it("returns false for a text that is not an address", () => {
    for (const text of ["", "x", "10.1", "10.1.2.3/8"]) assert.isFalse(isWithin(text, ["0.0.0.0/1", "10.0.0.0/8"]))
  })
})

describe("canonicalAddress", () => {
  it.each([
    ["10.1.2.3", "10.1.2.3"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["::FFFF:0A01:0203", "10.1.2.3"],
    ["2001:DB8:0:0::7", "2001:db8::7"],
    ["10.1", undefined],
    ["0x7f000001", undefined],
    ["010.1.2.3", undefined],
    ["[::1]", undefined],
    ["localhost", undefined]
  ] as const)("of %s is %s", (text, address) => {
    assert.strictEqual(canonicalAddress(text), address)
  })
})
