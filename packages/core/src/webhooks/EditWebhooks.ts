/**
 * The body of "edit webhooks" (interface section 4.4). The interface does not define its fields;
 * `docs/interface-decisions.md` does.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { addressRange, isMetadataName } from "../companies/AddressRange.ts"
import { derivedText } from "../values/Text.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

// URL.parse requires Node 22, but the client supports Node 20.
const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

const isHttpUrl = (text: string): boolean => {
  const url = parsed(text)
  return (
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.username === "" &&
    url.password === ""
  )
}

/** The URL parser accepts `localhost:8142` too, as the scheme `localhost`. */
const beginsAsHttp = (text: string): boolean => /^\s*https?:/iu.test(text)

// The URL parser drops line feeds and tabs, and encodes other invalid characters.
const hasNoBlanks = (text: string): boolean => !/[\s\p{Cc}]/u.test(text)

const label = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?$/u

/** The parser's host is canonical: an IPv4 address in any notation is `a.b.c.d`, and a name is lower-case ASCII. */
const hasHostAndPort = (text: string): boolean => {
  const url = parsed(text)
  if (url === null) return true
  if (url.port === "0") return false
  if (url.hostname.startsWith("[")) return true
  const name = url.hostname.replace(/\.$/u, "")
  return name.length <= 253 && name.split(".").every((part) => label.test(part))
}

const canReceive = (text: string): boolean => {
  const host = parsed(text)?.hostname ?? ""
  return addressRange(host) !== "never" && !isMetadataName(host)
}

/**
 * The URL with its scheme and host in lower case.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonicalUrl = (url: string): string =>
  url.replace(/^https?:\/*[^/?#]*/iu, (origin) => origin.toLowerCase())

/**
 * The URL without user name, query and fragment, which may contain secrets. For the journal and logs.
 *
 * @category conversions
 * @since 0.1.0
 */
export const maskedUrl = (url: string): string => {
  const address = parsed(url)
  return address === null ? "an address that cannot be read" : `${address.origin}${address.pathname}`
}

// URLs are generated from parts, because random text is almost never a URL.
const anyAddress = Schema.Struct({
  scheme: Schema.Literals(["http", "https"]),
  host: Schema.Literals(["127.0.0.1", "[::1]", "hooks.example.com"]),
  port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })),
  path: Schema.String.check(Schema.isPattern(/^[a-z0-9/]{0,40}$/u))
})

/**
 * The URL that receives deliveries: http or https without credentials. Addresses that cannot be a receiver are refused
 * in any notation: link-local, multicast, broadcast, unspecified, and metadata services of clouds.
 *
 * **Gotchas**
 *
 * A host name can resolve to any address, and a private address may be intended. The delivery worker checks the address
 * when it connects.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookUrl = derivedText({
  pattern: /^https?:/u,
  describe: { format: "uri" },
  seed: anyAddress,
  derive: ({ host, path, port, scheme }) => `${scheme}://${host}:${port}/${path}`
}).check(
  // Later checks do not read a longer text: the URL parser takes 10 ms for 1 MiB.
  Schema.isMaxCodePoints(2048, { expected: "at most 2048 characters" }).abort(),
  Schema.makeFilter(
    beginsAsHttp,
    {
      expected: "an address that starts with http:// or https://, such as http://127.0.0.1:8142/",
      toJsonSchema: () => [{}, true]
    },
    true
  ),
  Schema.makeFilter(isHttpUrl, {
    expected: "an http or https address without a user name or password",
    toJsonSchema: () => [{}, true]
  }),
  Schema.makeFilter(hasNoBlanks, {
    expected: "an address without blanks or line feeds",
    toJsonSchema: () => [{}, true]
  }),
  Schema.makeFilter(hasHostAndPort, {
    expected: "an address with a well-formed host name and a port from 1 to 65535",
    toJsonSchema: () => [{}, true]
  }),
  Schema.makeFilter(canReceive, {
    expected:
      "an address of a receiver, not a link-local, multicast, broadcast or unspecified one, nor a cloud's metadata service",
    toJsonSchema: () => [{}, true]
  })
)

/**
 * The webhook settings. `events` is the complete set: all other events are switched off.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditWebhooks = Schema.Struct({
  url: described(WebhookUrl, "The http or https address that events are sent to."),
  events: described(
    Schema.Array(WebhookEvent).check(Schema.isMaxLength(100, { expected: "at most 100 events" })),
    "The whole set of events that are wanted; any other is switched off."
  )
}).annotate({ identifier: "EditWebhooks", description: "The URL that receives events, and the events that are sent." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditWebhooks = typeof EditWebhooks.Type
