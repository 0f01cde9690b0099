/**
 * IP addresses: their classification for webhook deliveries, and membership in networks.
 *
 * @since 0.1.0
 */
import ipaddr from "ipaddr.js"
import { memoize } from "../values/Memoize.ts"

/**
 * - `public`: an address on the internet
 * - `private`: this machine, a private network or a reserved range; an internal service may listen there
 * - `never`: unspecified, link-local, multicast, broadcast, or a cloud's metadata service; never a receiver
 *
 * @category models
 * @since 0.1.0
 */
export type AddressRange = "public" | "private" | "never"

/**
 * Metadata services that give credentials to a cloud machine and whose addresses are not link-local: AWS over IPv6,
 * Alibaba, Azure, Oracle and Google over IPv6.
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  "fd00:ec2::254",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd20:ce::254"
])

const metadataNames: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal"
])

/**
 * True for the host name of a cloud's metadata service. Deliveries to such hosts are forbidden.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isMetadataName = (host: string): boolean => metadataNames.has(host.toLowerCase().replace(/\.$/u, ""))

const neverReceives: ReadonlySet<string> = new Set(["unspecified", "linkLocal", "multicast", "broadcast"])

/** Returns the IPv4 address that packets to this IPv6 address finally reach; undefined if there is no such address. */
const embeddedIn = (address: ipaddr.IPv6): ipaddr.IPv4 | undefined => {
  const bytes = address.toByteArray()
  const at = (start: number) => new ipaddr.IPv4(bytes.slice(start, start + 4))
  switch (address.range()) {
    case "ipv4Mapped":
      return address.toIPv4Address()
    case "rfc6145":
    case "rfc6052":
      return at(12)
    case "6to4":
      return at(2)
    default:
      // ::a.b.c.d, the deprecated form; :: and ::1 have ranges of their own.
      return address.range() === "unicast" && bytes.slice(0, 12).every((byte) => byte === 0) ? at(12) : undefined
  }
}

/**
 * The range of an IPv4 or IPv6 address, with or without brackets. An IPv4 address embedded in an IPv6 address counts as
 * IPv4. Undefined if the text is not an address.
 *
 * @category predicates
 * @since 0.1.0
 */
export const addressRange = (text: string): AddressRange | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, "$1")
  if (!isAddress(bare)) return undefined
  const parsed = ipaddr.parse(bare)
  const address = parsed instanceof ipaddr.IPv6 ? (embeddedIn(parsed) ?? parsed) : parsed
  const range: string = address.range()
  if (neverReceives.has(range) || metadataAddresses.has(address.toString())) return "never"
  return range === "unicast" ? "public" : "private"
}

/**
 * The canonical form of an address, for comparison: IPv4 in IPv6 (`::ffff:10.0.0.1`) as IPv4, and IPv6 according to RFC
 * 5952. Undefined if the text is not an address.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonicalAddress = (text: string): string | undefined =>
  // Fast path, because this runs for every request: plain IPv4 is already canonical.
  plainIpv4.test(text) ? text : isAddress(text) ? ipaddr.process(text).toString() : undefined

const plainIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * True if the text is valid for `isWithin`: an address, or a network as `address/bits`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isNetwork = (text: string): boolean =>
  isAddress(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)

/**
 * True if an address is in one of these networks, each an address or `address/bits`. False if the text is not an
 * address.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isWithin = (text: string, networks: ReadonlyArray<string>): boolean => {
  if (!isAddress(text)) return false
  const address = ipaddr.process(text)
  return networks.some((network) => {
    const [base, bits] = networkOf(network)
    return base.kind() === address.kind() && address.match(base, bits)
  })
}

/** A deployment has few networks, and each request is checked against some of them. */
const maxNetworks = 100

/** The base address and the prefix length of a network. An IPv4-mapped IPv6 network is returned as the IPv4 network. */
const networkOf = memoize(maxNetworks, (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const [base, bits] = ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`)
  return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96
    ? [base.toIPv4Address(), bits - 96]
    : [base, bits]
})
