/**
 * The setting of proxies whose `X-Forwarded-For` is trusted.
 *
 * @since 0.1.0
 */
import { isNetwork } from "@parcela/core/companies/AddressRange"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const entriesOf = (text: string): ReadonlyArray<string> => text.split(",").map((entry) => entry.trim())

/**
 * Returns the invalid entries by position. Values are not shown, because a secret may have been pasted into the wrong
 * line.
 */
const faultsOf = (text: string): ReadonlyArray<string> =>
  entriesOf(text).flatMap((entry, index) => {
    if (!isNetwork(entry)) return [`entry ${index + 1} is neither`]
    // A trusted client can choose its own address for limits and logs.
    return /\/0+$/.test(entry) ? [`entry ${index + 1} would trust everybody`] : []
  })

const expected = "addresses or networks of proxies, separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8"

/**
 * Addresses and networks (`address/bits`) as comma-separated text. A network of every address is refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TrustedProxies = Schema.String.check(
  Schema.makeFilter((text) => {
    const faults = faultsOf(text)
    return faults.length === 0 || `${expected}: ${faults.join(", ")}`
  })
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform({ decode: entriesOf, encode: (entries) => entries.join(",") })
  )
)
