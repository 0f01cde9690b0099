/**
 * Which network an IP address belongs to, as far as a delivery cares.
 *
 * @since 0.1.0
 */
import ipaddr from "ipaddr.js"

/**
 * - `public`: an address of the internet
 * - `private`: of this machine, of a private network, or reserved: another service of ours may listen there
 * - `never`: unspecified, link-local, multicast, broadcast, or of a cloud's metadata service: no receiver has it
 *
 * @category models
 * @since 0.1.0
 */
export type AddressRange = "public" | "private" | "never"

/**
 * Services that give a cloud machine its credentials, at addresses that are not link-local: AWS over IPv6, Alibaba, Azure, Oracle
 * and Google over IPv6.
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
 * True for a host name of a cloud's metadata service, which nothing may be sent to.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isMetadataName = (host: string): boolean => metadataNames.has(host.toLowerCase().replace(/\.$/u, ""))

const neverReceives: ReadonlySet<string> = new Set(["unspecified", "linkLocal", "multicast", "broadcast"])

/** The IPv4 address inside an IPv6 address, where that is what a packet reaches in the end. */
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
 * The range of an address as `a.b.c.d` or IPv6 (brackets allowed), also of an IPv4 address that is written inside an
 * IPv6 one; undefined for text that is no address.
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
 * An address as it is compared: an IPv4 address within an IPv6 one (`::ffff:10.0.0.1`) is that IPv4 address, and
 * IPv6 is written as RFC 5952 says. Undefined for text that is no address.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonicalAddress = (text: string): string | undefined =>
  // Most addresses are compared as they are written, and one is looked at for each request.
  plainIpv4.test(text) ? text : isAddress(text) ? ipaddr.process(text).toString() : undefined

const plainIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * True for an address, or a network as `address/bits`, as `isWithin` takes them.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isNetwork = (text: string): boolean =>
  isAddress(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)

/**
 * True when an address lies in one of these networks: addresses, or networks as `address/bits`. Text that is no address
 * lies in none.
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

/** A network and its bits; one of IPv4 addresses within IPv6 ones is the network of those. */
const networkOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const [base, bits] = ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`)
  return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96
    ? [base.toIPv4Address(), bits - 96]
    : [base, bits]
}
